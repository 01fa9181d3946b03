#include "tests/bench/emu/program_bench.h"

#include "proto/base/check.h"
#include "tests/bench/percentiles.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <limits>
#include <sstream>
#include <string>
#include <thread>
#include <utility>

namespace sla::bench {

namespace {

constexpr int kTurns = 5;
constexpr double kPerSecond = 1e6;
constexpr std::chrono::milliseconds kAgentsTurn{300};
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

// Events that the programs marked, and how many of them no reader can have, however fast.
struct Marked {
    std::uint64_t events = 0;
    std::uint64_t lost = 0;
    bool operator==(const Marked&) const = default;
};

// The number in each "NUMBER KIND" of a list, but for what this reader was too slow for.
std::uint64_t lost_to_all(const std::string& losses) {
    std::istringstream list(losses);
    std::uint64_t sum = 0;
    for (std::string entry; std::getline(list, entry, ',');) {
        if (entry.find("lagged") == std::string::npos) sum += std::stoull(entry);
    }
    return sum;
}

Marked marked_by_now(const BenchAgent& agent) {
    support::Process channels({std::string(SLA_BINARIES) + "/sla", "channels", agent.address(), "--format", "tsv"});
    if (channels.wait().code != 0) std::fprintf(stderr, "%s", channels.errors().c_str());
    std::istringstream lines(channels.output());
    Marked marked;
    std::vector<std::string> titles;
    for (std::string line; std::getline(lines, line);) {
        std::vector<std::string> cells;
        std::istringstream row(line);
        for (std::string cell; std::getline(row, cell, '\t');) cells.push_back(cell);
        if (titles.empty()) {
            titles = cells;
            continue;
        }
        for (std::size_t i = 0; i < std::min(cells.size(), titles.size()); ++i) {
            const std::string& title = titles[i];
            if (cells[i].empty()) continue;
            if (title == "losses") marked.lost += lost_to_all(cells[i]);
            if (title == "events" || title == "lost" || title == "not_kept") marked.events += std::stoull(cells[i]);
        }
    }
    return marked;
}

// Once the agent has all.
Marked marked_by(const BenchAgent& agent) {
    for (Marked before = marked_by_now(agent);;) {
        std::this_thread::sleep_for(kAgentsTurn);
        const Marked now = marked_by_now(agent);
        if (std::exchange(before, now) == now) return now;
    }
}

}  // namespace

void bench_program(const Storm& storm) {
    for (const char* clock : {"host", "virtual"}) {
        std::array<Cpu, kHooked.size()> best;
        Marked marked;
        for (int turn = 0; turn < kTurns; ++turn) {
            const BenchAgent agent(SLA_BINARIES, {"--no-config", "--memory", "64MiB"});
            const std::string path = agent.directory().file("storm.bin");
            std::ofstream(path, std::ios::binary)
                .write(reinterpret_cast<const char*>(storm.image.data()), std::ssize(storm.image));
            for (std::size_t i = 0; i < kHooked.size(); ++i) {
                std::vector<std::string> words{std::string(SLA_BINARIES) + "/sla-emu", "run", path, "--clock", clock};
                if (*kHooked[i] != '\0') words.insert(words.end(), {"--hook", kHooked[i]});
                const Cpu cpu = cpu_of(words, 1);
                if (cpu.user < best[i].user) best[i] = cpu;
            }
            const Marked now = marked_by(agent);
            marked.events += now.events;
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
