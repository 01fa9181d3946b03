// Many marked programs at once, each with threads and channels of its own, at a rate of all of them together: what the agent
// takes for an event, how old an event is when a viewer has it, and how a window on all of them does.
//
//   sources_bench                                  500 programs of 4 threads and 40 channels, 5 M events/s, 10 s
//   sources_bench --window 512MiB                  a window without a display looks on too
#include "proto/common/command_line.h"
#include "tests/bench/follower.h"
#include "tests/bench/percentiles.h"

#include <sla/marker.h>

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <memory>
#include <new>
#include <string>
#include <thread>
#include <vector>

SLA_CHANNEL(latency_channel, "bench.latency");

namespace {

using Clock = std::chrono::steady_clock;

struct Plan {
    int programs = 500;
    int threads = 4;    // of a program
    int channels = 10;  // of a thread
    double rate = 5;    // M events/s of all together
    double seconds = 10;
    std::string window;
};

// What the programs and this one share.
struct Shared {
    std::atomic<int> ready{0};  // programs that have opened their channels
    std::atomic<bool> is_end{false};
    std::atomic<std::uint64_t> offered{0};
};

constexpr std::chrono::milliseconds kTurn{100};
constexpr std::chrono::seconds kFirst{3};  // rings grow, memory is touched for the first time

// A turn's events on one channel after the other, then sleep until the next turn.
std::uint64_t mark(const std::vector<sla_channel*>& channels, std::uint64_t events_a_turn, Clock::duration phase,
                   const Shared& shared) {
    std::uint64_t offered = 0;
    for (auto next = Clock::now() + phase; !shared.is_end; next += kTurn) {
        std::this_thread::sleep_until(next);
        for (std::uint64_t i = 0; i < events_a_turn; ++i) SLA_TICK(channels[i % channels.size()], i);
        offered += events_a_turn;
    }
    return offered;
}

// One program, in a process of its own.
void run_program(const Plan& plan, int number, int starting_line, Shared& shared) {
    const int all_threads = plan.programs * plan.threads;
    const auto events_a_turn =
        static_cast<std::uint64_t>(plan.rate * 1e6 * std::chrono::duration<double>(kTurn).count() / all_threads);
    std::atomic<int> opened{0};
    std::vector<std::thread> threads;
    for (int thread = 0; thread < plan.threads; ++thread) {
        threads.emplace_back([&, thread] {
            std::vector<sla_channel*> channels;
            for (int i = 0; i < plan.channels; ++i)
                channels.push_back(sla_channel_open(("load." + std::to_string(thread) + "." + std::to_string(i)).c_str()));
            if (++opened == plan.threads) {
                while (!sla_attach() && !shared.is_end) std::this_thread::sleep_for(std::chrono::milliseconds(20));
                ++shared.ready;
            }
            char none = 0;
            (void)!read(starting_line, &none, 1);  // until it is closed
            const int place = number * plan.threads + thread;
            shared.offered += mark(channels, events_a_turn, kTurn * place / all_threads, shared);
        });
    }
    for (std::thread& thread : threads) thread.join();
}

// They mark once the other end of `starting_line` is closed.
std::vector<pid_t> start_programs(const Plan& plan, const std::array<int, 2>& starting_line, Shared& shared) {
    std::vector<pid_t> programs;
    for (int number = 0; number < plan.programs; ++number) {
        const pid_t pid = fork();
        if (pid == 0) {
            close(starting_line[1]);
            run_program(plan, number, starting_line[0], shared);
            _exit(0);
        }
        programs.push_back(pid);
    }
    return programs;
}

// The events whose ages are taken: of this program, at no regular times.
class LatencyMarker {
public:
    LatencyMarker() = default;
    ~LatencyMarker() {
        is_end_ = true;
        thread_.join();
    }

private:
    std::atomic<bool> is_end_{false};
    std::thread thread_{[this] {
        unsigned seed = 1;
        for (int i = 0; !is_end_; ++i) {
            SLA_TICK(latency_channel, i);
            usleep(1000 + static_cast<unsigned>(rand_r(&seed)) % 4000);
        }
    }};
};

void print_latency(sla::bench::Follower& follower, std::size_t at_first) {
    follower.print_ages("marker to viewer's store");
    follower.print_ages("after the first three seconds", at_first);
    std::printf("the viewer has %llu events on %zu channels, %llu lost\n",
                static_cast<unsigned long long>(follower.session().events()), follower.session().lanes().size(),
                static_cast<unsigned long long>(follower.session().lost()));
}

void look_by_window(const Plan& plan, const sla::bench::BenchAgent& agent) {
    const auto window = sla::bench::open_window(SLA_BINARIES, agent, plan.seconds, plan.window);
    const auto end = window->wait(std::chrono::seconds(300));
    std::printf("window: %s%s", window->output().c_str(), window->errors().c_str());
    if (end.code != 0) std::printf("(ended with %d, signal %d)\n", end.code, end.signal);
}

int run(const Plan& plan) {
    std::setvbuf(stdout, nullptr, _IOLBF, 0);
    std::printf("machine: %s\n", sla::bench::machine().c_str());
    void* memory = mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return 3;
    Shared& shared = *new (memory) Shared;
    sla::bench::BenchAgent agent(SLA_BINARIES);
    const auto begin = Clock::now();
    std::array<int, 2> starting_line{};
    if (pipe(starting_line.data()) != 0) return 3;
    const std::vector<pid_t> programs = start_programs(plan, starting_line, shared);
    while (shared.ready < plan.programs) usleep(10'000);
    std::printf("%d programs of %d threads and %d channels stand after %.1f s; agent %.2f s of CPU, %.0f MiB\n",
                plan.programs, plan.threads, plan.threads * plan.channels,
                std::chrono::duration<double>(Clock::now() - begin).count(), agent.cpu_seconds(),
                static_cast<double>(agent.resident_bytes()) / (1 << 20));
    if (!sla_attach()) return 3;
    const double idle = agent.cpu_seconds();
    usleep(2'000'000);
    std::printf("agent while nothing is marked: %.2f %% of a core\n", 100 * (agent.cpu_seconds() - idle) / 2);

    const double cpu = agent.cpu_seconds();
    close(starting_line[1]);
    if (plan.window.empty()) {
        sla::bench::Follower follower(agent.address(), "bench.latency");
        const LatencyMarker marker;
        const std::chrono::duration<double> time(plan.seconds);
        std::size_t at_first = 0;
        const auto start = Clock::now();
        while (Clock::now() < start + time) {
            follower.take();
            if (Clock::now() < start + kFirst) at_first = follower.aged();
        }
        print_latency(follower, at_first);
    } else {
        look_by_window(plan, agent);
    }
    shared.is_end = true;
    for (const pid_t pid : programs) waitpid(pid, nullptr, 0);
    usleep(300'000);
    const double used = agent.cpu_seconds() - cpu;
    const std::uint64_t offered = shared.offered;
    std::printf("offered %llu; agent: %.2f ns of CPU an event, %.0f MiB, at most %.0f MiB with programs' rings\n",
                static_cast<unsigned long long>(offered), used * 1e9 / static_cast<double>(offered),
                static_cast<double>(agent.resident_bytes()) / (1 << 20),
                static_cast<double>(agent.peak_bytes()) / (1 << 20));
    agent.process().signal(SIGTERM);
    agent.process().wait();
    const std::string log = agent.process().errors();
    std::printf("%s", log.substr(log.rfind("info: ")).c_str());
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    sla::common::Command app("sources_bench", "Many marked programs at once, and what they cost agent and viewer.");
    Plan plan;
    app.add_option("--programs", plan.programs, "Processes (500)").range(1, 4000);
    app.add_option("--threads", plan.threads, "Of each (4)").range(1, 64);
    app.add_option("--channels", plan.channels, "Of each thread (10)").range(1, 1000);
    app.add_option("--rate", plan.rate, "M events/s of all together (5)");
    app.add_option("--seconds", plan.seconds, "How long (10)");
    app.add_option("--window", plan.window, "A window looks on, with so much memory for live rows: 512MiB")
        .value_name("SIZE");
    app.action([&plan] { return run(plan); });
    return app.run(argc, argv);
}
