// What reading the Linux host's events costs, by turns under the same load: the bare pages (the floor, and what the host
// gives at the moment), the source up to rows, the whole agent with encoding and retaining; and the source doing nothing.
//
// A child storms getppid() on one CPU; whoever reads has the other. The source runs in this process exactly as in the
// agent's draining thread, into a sink that only counts. Needs root.
#include "agent/linux/linux_source.h"
#include "proto/time/tick_clock.h"
#include "tests/bench/linux/bare_trace_reader.h"
#include "tests/bench/counting_sink.h"
#include "tests/bench/percentiles.h"

#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

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
constexpr int kTurns = 7;
constexpr double kSeconds = 1;        // of each measurement
constexpr double kWarmUpSeconds = 4;  // of the agent: then its memory for the channel is full, and used again from there on
constexpr int kReaderCpu = 0;
constexpr int kStormCpu = 1;
constexpr const char* kEvents = "raw_syscalls:sys_enter if id==110,raw_syscalls:sys_exit if id==110";
constexpr const char* kFilter = "id==110";
constexpr std::uint64_t kEventsOfACall = 2;
constexpr double kTargetNs = 25;  // of the whole agent, set beside a bare reader's kFloorThenNs
constexpr double kFloorThenNs = 23.9;

double cpu_seconds() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    const auto seconds = [](const timeval& t) {
        return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6;
    };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

// Calls as fast as they go, when asked to, and counts them. Begun before the tracing, which leaves out our own children.
class Storm {
public:
    Storm()
        : calls_(new (::mmap(nullptr, sizeof(std::atomic<std::uint64_t>), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
                             -1, 0)) std::atomic<std::uint64_t>(0)) {
        if (pipe(go_) != 0) std::exit(3);
        child_ = fork();
        if (child_ != 0) return;
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
    void move_to(int cpu) const { bench::pin_to(cpu, child_); }
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

// Steps for so long, sleeping a millisecond when there is nothing more at once, longer when there is nothing at all.
template <class Step>
Figures measure(double seconds, const Step& step) {
    const double cpu_before = cpu_seconds();
    const Clock::time_point begin = Clock::now();
    std::uint64_t events = 0;
    auto sleep = std::chrono::milliseconds(1);
    while (std::chrono::duration<double>(Clock::now() - begin).count() < seconds) {
        const auto stepped = step();
        events += stepped.taken;
        if (stepped.pressed) continue;
        sleep = stepped.taken > 0 ? std::chrono::milliseconds(1) : std::min(sleep * 2, std::chrono::milliseconds(10));
        std::this_thread::sleep_for(sleep);
    }
    const double elapsed = std::chrono::duration<double>(Clock::now() - begin).count();
    const double cpu = cpu_seconds() - cpu_before;
    return {static_cast<double>(events) / elapsed, cpu / elapsed, events > 0 ? cpu * 1e9 / static_cast<double>(events) : 0.0,
            0};
}

Result<Figures> measure_bare(int piece_kb) {
    auto reader =
        bench::BareTraceReader::start({"raw_syscalls/sys_enter", "raw_syscalls/sys_exit"}, kFilter, kStormCpu, piece_kb);
    if (!reader) return reader.error();
    Figures figures = measure(kSeconds, [&] { return (*reader)->step(); });
    figures.lost = (*reader)->lost_pieces();
    return figures;
}

Result<Figures> measure_source(double seconds) {
    bench::CountingSink sink;
    linux::LinuxOptions options;
    options.events = kEvents;
    auto source = linux::LinuxSource::start(options, sink);
    if (!source) return source.error();
    Figures figures = measure(seconds, [&] { return (*source)->step(time::read_tsc() & SLA_TICK_MASK); });
    figures.lost = sink.lost;
    return figures;
}

// The agent has core 1 to itself: BenchAgent puts it there.
Figures measure_agent(const Storm& storm) {
    storm.move_to(kReaderCpu);
    bench::BenchAgent agent(SLA_BINARIES, {"--linux", kEvents});
    std::this_thread::sleep_for(std::chrono::duration<double>(kWarmUpSeconds));
    const double cpu_before = agent.cpu_seconds();
    const std::uint64_t calls_before = storm.calls();
    const Clock::time_point begin = Clock::now();
    std::this_thread::sleep_for(std::chrono::duration<double>(kSeconds));
    const double elapsed = std::chrono::duration<double>(Clock::now() - begin).count();
    const double cpu = agent.cpu_seconds() - cpu_before;
    const auto events = static_cast<double>((storm.calls() - calls_before) * kEventsOfACall);
    agent.process().signal(SIGTERM);
    agent.process().wait();
    storm.move_to(kStormCpu);
    const std::string said = agent.process().errors();
    const std::size_t lost = said.rfind(" recorded, ");
    return {events / elapsed, cpu / elapsed, cpu * 1e9 / events,
            lost == std::string::npos ? 1 : std::strtoull(&said[lost + 11], nullptr, 10)};
}

double median(std::vector<double> of) {
    return bench::percentiles(of).p50;
}

// One kind of reader, a figure a turn.
struct Column {
    const char* name;
    std::vector<Figures> turns;

    [[nodiscard]] std::vector<double> all(double Figures::*figure) const {
        std::vector<double> values;
        for (const Figures& turn : turns) values.push_back(turn.*figure);
        return values;
    }
    void report() const {
        const std::vector<double> costs = all(&Figures::cost_ns);
        std::uint64_t lost = 0;
        for (const Figures& turn : turns) lost += turn.lost;
        std::printf("%-17s %5.2f M events/s, %llu lost, %4.1f %% of a core, CPU an event: median %5.1f ns, %5.1f to %5.1f\n",
                    name, median(all(&Figures::rate)) * 1e-6, static_cast<unsigned long long>(lost),
                    100 * median(all(&Figures::share)), median(costs), *std::min_element(costs.begin(), costs.end()),
                    *std::max_element(costs.begin(), costs.end()));
    }
    // Median of what each turn cost beside the other's of the same turn.
    [[nodiscard]] double beside(const Column& other) const {
        std::vector<double> ratios;
        for (std::size_t i = 0; i < turns.size(); i++) ratios.push_back(turns[i].cost_ns / other.turns[i].cost_ns);
        return median(ratios);
    }
};

Result<void> run() {
    const Storm storm;
    storm.move_to(kStormCpu);
    bench::pin_to(kReaderCpu);
    const auto idle = measure_source(5);
    if (!idle) return idle.error();
    std::printf("idle: %.2f %% of a core\n", 100 * idle->share);
    storm.begin();
    Column bare4{"bare, 4 KB pieces", {}};
    Column bare64{"bare, 64 KB", {}};
    Column source{"source", {}};
    Column agent{"agent", {}};
    for (int turn = 0; turn < kTurns; turn++) {
        for (const auto& [column, piece_kb] : {std::pair{&bare4, 4}, std::pair{&bare64, 64}}) {
            const auto figures = measure_bare(piece_kb);
            if (!figures) return figures.error();
            column->turns.push_back(*figures);
        }
        const auto figures = measure_source(kSeconds);
        if (!figures) return figures.error();
        source.turns.push_back(*figures);
        agent.turns.push_back(measure_agent(storm));
    }
    for (const Column* column : {&bare4, &bare64, &source, &agent}) column->report();
    std::printf(
        "agent beside bare reading of the same turn: %.2f of it in 4 KB pieces (target %.2f: %.0f ns beside %.1f), %.2f in "
        "64 KB\n",
        agent.beside(bare4), kTargetNs / kFloorThenNs, kTargetNs, kFloorThenNs, agent.beside(bare64));
    return {};
}

}  // namespace

int main() {
    const Result<void> done = run();
    if (done) return 0;
    std::printf("linux_bench: %s\n", done.error().message.c_str());
    return 3;
}
