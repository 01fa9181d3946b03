// What the Linux host's source costs: kernel events a second without loss, CPU time of ours an event, and doing nothing.
//
// A child storms getppid() on one CPU, this process reads on another, exactly as the agent's draining thread does, into a
// sink that only counts. Needs root.
#include "agent/source/linux/linux_source.h"
#include "proto/time/tick_clock.h"

#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <sched.h>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <thread>

namespace {

using namespace sla;
using Clock = std::chrono::steady_clock;

class CountingSink final : public source::LaneSink {
public:
    source::LaneNumber lane(const std::string&, const std::string&) override { return ++lanes_; }
    source::ThreadNumber thread(std::uint32_t, const std::string&) override { return ++threads_; }
    void add(source::LaneNumber, source::ThreadNumber, std::uint64_t tick, std::uint8_t, std::uint64_t) override {
        newest = tick;
    }
    void add_with(source::LaneNumber, source::ThreadNumber, std::uint64_t tick, std::uint8_t, std::uint64_t,
                  wire::Extra) override {
        newest = tick;
    }
    void add_gap(source::LaneNumber, source::ThreadNumber, std::uint64_t, std::uint64_t, wire::LossCause,
                 std::uint64_t count) override {
        lost += count;
    }
    void notice(const std::string&) override {}
    std::uint64_t newest = 0;
    std::uint64_t lost = 0;

private:
    std::uint32_t lanes_ = 0;
    std::uint32_t threads_ = 0;
};

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

// Begun before the tracing, which leaves out our own children; waits until a byte comes.
pid_t prepare_storm(int go) {
    const pid_t child = fork();
    if (child != 0) return child;
    pin(1);
    char byte = 0;
    if (read(go, &byte, 1) != 1) _exit(1);
    for (;;) syscall(SYS_getppid);
}

// Steps for so long, sleeping a millisecond when there is nothing more at once; prints what it was.
void measure(const char* what, source::LinuxSource& source, CountingSink& sink, double seconds) {
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
    std::printf("%-28s %6.2f M events/s, %llu lost, %5.1f %% of a core, %5.1f ns of ours an event\n", what,
                static_cast<double>(events) / elapsed * 1e-6, static_cast<unsigned long long>(sink.lost - lost_before),
                100 * cpu / elapsed, events > 0 ? cpu * 1e9 / static_cast<double>(events) : 0.0);
}

}  // namespace

int main() {
    int go[2] = {-1, -1};
    if (pipe(go) != 0) return 3;
    const pid_t storm = prepare_storm(go[0]);
    CountingSink sink;
    source::LinuxOptions options;
    options.events = "raw_syscalls:sys_enter if id==110,raw_syscalls:sys_exit if id==110";
    auto source = source::LinuxSource::start(options, sink);
    if (!source) {
        std::printf("linux_bench: %s\n", source.error().message.c_str());
        kill(storm, SIGKILL);
        return 3;
    }
    pin(0);
    measure("idle", **source, sink, 1);
    if (write(go[1], "g", 1) != 1) return 3;
    for (int i = 0; i < 4; i++) measure("storm of system calls", **source, sink, 1);
    kill(storm, SIGKILL);
    waitpid(storm, nullptr, 0);
    return 0;
}
