#include "tests/bench/emu/program_bench.h"

#include "proto/base/check.h"
#include "tests/bench/percentiles.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cinttypes>
#include <csignal>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <limits>
#include <string>

namespace sla::bench {

namespace {

constexpr int kTurns = 5;
constexpr double kPerSecond = 1e6;
const std::array<const char*, 3> kHooked{"none", "", "*"};  // "": what sla-emu selects by itself

struct Cpu {
    double user = std::numeric_limits<double>::infinity();
    double kernel = 0;
};

// What a program takes, which must end with that code; its output goes nowhere.
Cpu cpu_of(const std::vector<std::string>& words, int code) {
    std::vector<char*> argv;
    for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
    argv.push_back(nullptr);
    posix_spawn_file_actions_t files;
    ::posix_spawn_file_actions_init(&files);
    for (const int output : {STDOUT_FILENO, STDERR_FILENO})
        ::posix_spawn_file_actions_addopen(&files, output, "/dev/null", O_WRONLY, 0);
    pid_t child = -1;
    SLA_CHECK(::posix_spawn(&child, argv[0], &files, nullptr, argv.data(), environ) == 0);
    ::posix_spawn_file_actions_destroy(&files);
    int status = 0;
    rusage used{};
    SLA_CHECK(::wait4(child, &status, 0, &used) == child);
    SLA_CHECK(WIFEXITED(status) && WEXITSTATUS(status) == code);
    const auto seconds = [](const timeval& time) {
        return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / kPerSecond;
    };
    return {seconds(used.ru_utime), seconds(used.ru_stime)};
}

struct Marked {
    std::uint64_t events = 0;
    std::uint64_t lost = 0;
};

// Ends the agent, which says "N events recorded, M lost" when it has all.
Marked count_at_end(BenchAgent& agent) {
    agent.process().signal(SIGTERM);
    agent.process().wait();
    const std::string said = agent.process().errors();
    const std::size_t words = said.find(" events recorded, ");
    SLA_CHECK(words != std::string::npos);
    const std::size_t number = said.rfind(' ', words - 1) + 1;
    Marked marked;
    SLA_CHECK(std::sscanf(said.c_str() + number, "%" SCNu64 " events recorded, %" SCNu64 " lost", &marked.events,
                          &marked.lost) == 2);
    return marked;
}

}  // namespace

void bench_program(const Storm& storm) {
    for (const char* clock : {"host", "virtual"}) {
        std::array<Cpu, kHooked.size()> best;
        Marked marked;
        for (int turn = 0; turn < kTurns; ++turn) {
            BenchAgent agent(SLA_BINARIES, {"--no-config"});
            const std::string path = agent.directory().file("storm.bin");
            std::ofstream(path, std::ios::binary)
                .write(reinterpret_cast<const char*>(storm.image.data()), std::ssize(storm.image));
            for (std::size_t i = 0; i < kHooked.size(); ++i) {
                std::vector<std::string> words{std::string(SLA_BINARIES) + "/sla-emu", "run", path, "--clock", clock};
                if (*kHooked[i] != '\0') words.insert(words.end(), {"--hook", kHooked[i]});
                const Cpu cpu = cpu_of(words, 1);
                if (cpu.user < best[i].user) best[i] = cpu;
            }
            const Marked now = count_at_end(agent);
            marked.events += now.events + now.lost;
            marked.lost += now.lost;
        }
        std::printf("%-8s %-28s", clock, storm.what);
        for (const Cpu& cpu : best) std::printf(" %10.3f", storm.rounds / cpu.user / kPerSecond);
        std::printf(" %-5s %7.2f %7.2f   %llu lost of %llu; kernel %.2f s of %.2f\n", "M/s", best[1].user / best[0].user,
                    best[2].user / best[0].user, static_cast<unsigned long long>(marked.lost),
                    static_cast<unsigned long long>(marked.events), best[2].kernel, best[2].kernel + best[2].user);
        std::fflush(stdout);
    }
}

}  // namespace sla::bench
