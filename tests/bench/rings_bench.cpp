// Many rings with a little in each, through the agent's real pipeline, stepped by hand on one thread: what a visit of a ring
// costs, without the programs that would mark into them and take the cores. Each ring gets a burst every 100 ms, a part of them
// every 5 ms; the pipeline sleeps as the agent does.
//
//   rings_bench                              500 programs of 40 rings, 25 events in each, 6 s, of which 5 count
//   rings_bench --programs 100 --burst 5
#include "agent/daemon/drain_pace.h"
#include "agent/daemon/pipeline/pipeline.h"
#include "proto/common/command_line.h"
#include "proto/time/tick_clock.h"
#include "tests/bench/percentiles.h"
#include "tests/support/test_segment.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;

struct Plan {
    int programs = 500;
    int rings = 40;  // of a program, each of a channel of its own
    int burst = 25;  // events of a ring
    double seconds = 6;
    bool has_trigger = false;
    bool is_unread = false;
};

constexpr auto kSlice = std::chrono::milliseconds(5);
constexpr int kSlices = 20;  // between two bursts of a ring
constexpr std::uint32_t kCapacity = 2048;
constexpr double kFirst = 1;  // seconds that do not count: memory is touched for the first time

struct Program {
    sla::support::TestSegment segment;
    std::vector<sla_ring_header*> rings;
};

std::uint64_t now_tick() {
    return sla::time::read_stamp() & SLA_TICK_MASK;
}

double cpu_ns() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e9 + static_cast<double>(now.tv_nsec);
}

std::unique_ptr<Program> make_program(const Plan& plan) {
    auto program = std::make_unique<Program>();
    for (int ring = 0; ring < plan.rings; ring++) {
        const std::uint32_t channel = program->segment.add_channel("load." + std::to_string(ring));
        program->rings.push_back(&program->segment.ring(program->segment.add_ring(channel, kCapacity)));
    }
    return program;
}

void burst(Program& program, int events) {
    for (sla_ring_header* ring : program.rings) {
        auto* const slots = reinterpret_cast<sla_slot_plain*>(program.segment.at(ring->offset));
        for (int i = 0; i < events; i++) {
            const std::uint64_t stamp = std::uint64_t{SLA_CODE_TICK_VALUE} << SLA_TICK_BITS | now_tick();
            slots[ring->head & (kCapacity - 1)] = {stamp, ring->head};
            ring->reserve = ring->head + 1;
            ring->head = ring->reserve;
        }
    }
}

// All slices that are over by now.
std::uint64_t mark(std::vector<std::unique_ptr<Program>>& programs, const Plan& plan, int& slice, Clock::time_point begin) {
    std::uint64_t marked = 0;
    for (; begin + slice * kSlice <= Clock::now(); slice++) {
        for (std::size_t at = static_cast<std::size_t>(slice % kSlices); at < programs.size(); at += kSlices) {
            burst(*programs[at], plan.burst);
            marked += programs[at]->rings.size() * static_cast<std::uint64_t>(plan.burst);
        }
    }
    return marked;
}

int run(const Plan& plan) {
    std::printf("machine: %s\n", sla::bench::machine().c_str());
    spdlog::set_level(spdlog::level::off);
    sla::retain::Retention retention{{}};
    sla::daemon::Pipeline pipeline(retention);
    if (plan.has_trigger) {
        sla::wire::SetTrigger trigger;
        trigger.set_expression("none then none within 1ns");
        if (!pipeline.set_trigger(trigger, true).empty()) return 3;
    }
    if (plan.is_unread) pipeline.count_readers_with([] { return 0; });
    std::vector<std::unique_ptr<Program>> programs;
    for (int number = 0; number < plan.programs; number++) {
        programs.push_back(make_program(plan));
        auto program = std::make_shared<sla::source::Program>(programs.back()->segment.view());
        program->segment_id = static_cast<std::uint64_t>(number) + 1;
        pipeline.add_program(std::move(program));
    }
    while (pipeline.step().more) {
    }
    sla::daemon::DrainPace pace;
    const auto begin = Clock::now();
    const auto counted_from = begin + std::chrono::duration<double>(kFirst);
    std::uint64_t events = 0;
    std::size_t steps = 0;
    std::size_t visits = 0;
    double cpu = 0;
    for (int slice = 0; Clock::now() < begin + std::chrono::duration<double>(plan.seconds);) {
        const bool counts = Clock::now() > counted_from;
        const std::uint64_t marked = mark(programs, plan, slice, begin);
        const double before = cpu_ns();
        const sla::daemon::Pipeline::Step step = pipeline.step();
        pace.note(step);
        if (counts) {
            cpu += cpu_ns() - before;
            events += marked;
            steps++;
            visits += step.busy_rings - step.left_rings;
        }
        if (!step.more) std::this_thread::sleep_for(pace.next_sleep());
    }
    const double seconds = plan.seconds - kFirst;
    std::printf(
        "%.2f M events/s in %.0f visits and %.0f steps a second: %.2f ns of CPU an event, %.2f us a visit; %.1f %% of a "
        "core\n",
        static_cast<double>(events) / seconds / 1e6, static_cast<double>(visits) / seconds,
        static_cast<double>(steps) / seconds, cpu / static_cast<double>(events), cpu / static_cast<double>(visits) / 1e3,
        cpu / seconds / 1e7);
    pipeline.finish("done");
    std::printf("%llu recorded, %llu lost\n", static_cast<unsigned long long>(pipeline.recorded()),
                static_cast<unsigned long long>(pipeline.lost()));
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    sla::common::Command app("rings_bench", "Many rings with a little in each, through the agent's pipeline.");
    Plan plan;
    app.add_option("--programs", plan.programs, "Segments (500)").range(1, 2000);
    app.add_option("--rings", plan.rings, "Of each (40)").range(1, 1000);
    app.add_option("--burst", plan.burst, "Events of a ring every 100 ms (25)").range(1, 1000);
    app.add_option("--seconds", plan.seconds, "How long (6)");
    app.add_flag("--trigger", plan.has_trigger, "A trigger that waits for another channel");
    app.add_flag("--unread", plan.is_unread, "Nobody reads what the agent keeps");
    app.action([&plan] { return run(plan); });
    return app.run(argc, argv);
}
