// What the Linux host's source costs: kernel events a second without loss, CPU time of ours an event, and doing nothing;
// then the whole agent on the same load.
//
// A child storms getppid() on one CPU. On the other this process reads, exactly as the agent's draining thread does, into a
// sink that only counts; then sla-agent does. Needs root.
#include "agent/source/linux/linux_source.h"
#include "proto/time/tick_clock.h"
#include "tests/bench/counting_sink.h"
#include "tests/bench/percentiles.h"

#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <sched.h>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <utility>
#include <vector>

namespace {

using namespace sla;
using Clock = std::chrono::steady_clock;
constexpr int kRounds = 5;
constexpr int kReaderCpu = 0;
constexpr int kStormCpu = 1;
constexpr const char* kEvents = "raw_syscalls:sys_enter if id==110,raw_syscalls:sys_exit if id==110";
constexpr std::uint64_t kEventsOfACall = 2;

double cpu_seconds() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    const auto seconds = [](const timeval& t) {
        return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6;
    };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

void pin(int cpu) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(cpu, &set);
    sched_setaffinity(0, sizeof set, &set);
}

// Calls as fast as they go, once it is told, and counts them. Begun before the tracing, which leaves out our own children.
class Storm {
public:
    explicit Storm(int cpu)
        : calls_(new (::mmap(nullptr, sizeof(std::atomic<std::uint64_t>), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
                             -1, 0)) std::atomic<std::uint64_t>(0)) {
        if (pipe(go_) != 0) std::exit(3);
        child_ = fork();
        if (child_ != 0) return;
        pin(cpu);
        char byte = 0;
        if (read(go_[0], &byte, 1) != 1) _exit(1);
        for (std::uint64_t calls = 1;; calls++) {
            syscall(SYS_getppid);
            calls_->store(calls, std::memory_order_relaxed);  // a count to be looked at: orders nothing
        }
    }
    ~Storm() {
        kill(child_, SIGKILL);
        waitpid(child_, nullptr, 0);
    }
    Storm(const Storm&) = delete;
    Storm& operator=(const Storm&) = delete;
    void begin() const {
        if (write(go_[1], "g", 1) != 1) std::exit(3);
    }
    [[nodiscard]] std::uint64_t calls() const { return calls_->load(std::memory_order_relaxed); }

private:
    std::atomic<std::uint64_t>* calls_;  // shared with the child, until both have ended
    int go_[2] = {-1, -1};
    pid_t child_ = -1;
};

struct Figures {
    double rate = 0;     // events a second
    double share = 0;    // of a core
    double cost_ns = 0;  // of ours, an event
    std::uint64_t lost = 0;
};

// Steps for so long, sleeping a millisecond when there is nothing more at once.
Figures measure(source::LinuxSource& source, bench::CountingSink& sink, double seconds) {
    const double cpu_before = cpu_seconds();
    const std::uint64_t lost_before = sink.lost;
    const Clock::time_point begin = Clock::now();
    std::uint64_t events = 0;
    auto sleep = std::chrono::milliseconds(1);
    while (std::chrono::duration<double>(Clock::now() - begin).count() < seconds) {
        const source::LinuxSource::Step step = source.step(time::read_tsc() & SLA_TICK_MASK);
        events += step.taken;
        if (step.pressed) continue;
        sleep = step.taken > 0 ? std::chrono::milliseconds(1) : std::min(sleep * 2, std::chrono::milliseconds(10));
        std::this_thread::sleep_for(sleep);
    }
    const double elapsed = std::chrono::duration<double>(Clock::now() - begin).count();
    const double cpu = cpu_seconds() - cpu_before;
    return {static_cast<double>(events) / elapsed, cpu / elapsed, events > 0 ? cpu * 1e9 / static_cast<double>(events) : 0.0,
            sink.lost - lost_before};
}

// Several short measurements: other work on the machine disturbs some of them.
void tell(const char* whose, std::vector<Figures> rounds) {
    std::sort(rounds.begin(), rounds.end(), [](const Figures& a, const Figures& b) { return a.cost_ns < b.cost_ns; });
    for (const auto& [what, at] : {std::pair{"best", rounds.front()}, std::pair{"median", rounds[rounds.size() / 2]}}) {
        std::printf("%-7s %-7s %5.2f M events/s, %llu lost, %4.1f %% of a core, %5.1f ns of CPU an event\n", whose, what,
                    at.rate * 1e-6, static_cast<unsigned long long>(at.lost), 100 * at.share, at.cost_ns);
    }
}

int measure_source() {
    const Storm storm(kStormCpu);
    bench::CountingSink sink;
    source::LinuxOptions options;
    options.events = kEvents;
    auto source = source::LinuxSource::start(options, sink);
    if (!source) {
        std::printf("linux_bench: %s\n", source.error().message.c_str());
        return 3;
    }
    pin(kReaderCpu);
    std::printf("idle: %.2f %% of a core\n", 100 * measure(**source, sink, 5).share);
    storm.begin();
    std::vector<Figures> rounds;
    for (int i = 0; i < kRounds; i++) rounds.push_back(measure(**source, sink, 1));
    tell("source", rounds);
    return 0;
}

// The agent has the other core to itself: BenchAgent puts it on core 1.
void measure_agent() {
    const Storm storm(kReaderCpu);
    bench::BenchAgent agent(SLA_BINARIES, {"--linux", kEvents});
    storm.begin();
    std::vector<Figures> rounds;
    for (int i = 0; i < kRounds; i++) {
        const double cpu_before = agent.cpu_seconds();
        const std::uint64_t calls_before = storm.calls();
        const Clock::time_point begin = Clock::now();
        sleep(1);
        const double elapsed = std::chrono::duration<double>(Clock::now() - begin).count();
        const double cpu = agent.cpu_seconds() - cpu_before;
        const auto events = static_cast<double>((storm.calls() - calls_before) * kEventsOfACall);
        rounds.push_back({events / elapsed, cpu / elapsed, cpu * 1e9 / events, 0});
    }
    agent.process().signal(SIGTERM);
    agent.process().wait();
    const std::string said = agent.process().errors();
    tell("agent", rounds);
    std::printf("agent says: %s", said.substr(said.rfind(": ", said.rfind(" recorded")) + 2).c_str());
}

}  // namespace

int main() {
    const int failed = measure_source();
    if (failed == 0) measure_agent();
    return failed;
}
