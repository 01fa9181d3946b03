// The kernel's stamps and the program's markers are on one axis.
#include "tests/integration/linux/host_test.h"

#include <algorithm>

namespace sla {
namespace {

class Bracketing : public HostTest {
protected:
    // The kernel keeps 15 characters of a program's name. A thread of it that has not yet taken a name of its own may hold
    // the first lane for a moment: then the program's is the second one.
    static std::vector<HostRow> states_of_program(const HostRows& rows) {
        std::vector<HostRow> states;
        for (const auto& [lane, of_lane] : rows) {
            if (lane.starts_with("linux.thread.sla-test-host-p"))
                states.insert(states.end(), of_lane.begin(), of_lane.end());
        }
        std::stable_sort(states.begin(), states.end(), [](const HostRow& a, const HostRow& b) { return a.tick < b.tick; });
        return states;
    }
    // Some kernels stop reporting switches away from the idle task of a CPU, for minutes, to every tracer on the
    // machine: then a CPU goes idle twice without having done anything between.
    static bool kernel_hides_switches(const HostRows& rows) {
        for (const auto& [lane, of_lane] : rows) {
            if (!lane.starts_with("linux.cpu.")) continue;
            for (std::size_t i = 1; i < of_lane.size(); i++) {
                if (of_lane[i].text == "idle" && of_lane[i - 1].text == "idle") return true;
            }
        }
        return false;
    }
};

constexpr const char* kGetppidEvents = "raw_syscalls:sys_enter if id==110,raw_syscalls:sys_exit if id==110";

TEST_F(Bracketing, EverySystemCallLiesBetweenTheMarkersAroundIt) {
    constexpr std::size_t kCalls = 10'000;
    ASSERT_EQ(record({"--linux", kGetppidEvents, "--follow", "--", SLA_HOST_PROGRAM, "bracket", std::to_string(kCalls)}), 0)
        << errors_;
    if (absent_) GTEST_SKIP() << "skipped, because " << errors_;
    HostRows rows = this->rows({"host.*", "linux.syscall.getppid"});
    const std::vector<HostRow>& before = rows["host.before"];
    const std::vector<HostRow>& after = rows["host.after"];
    const std::vector<HostRow>& calls = rows["linux.syscall.getppid"];
    ASSERT_EQ(before.size(), kCalls);
    ASSERT_EQ(after.size(), kCalls);
    ASSERT_EQ(calls.size(), 2 * kCalls) << errors_;
    std::size_t inside = 0;
    for (std::size_t i = 0; i < kCalls; i++) {
        const HostRow& enter = calls[2 * i];
        const HostRow& exit = calls[2 * i + 1];
        inside += enter.kind == "begin" && exit.kind == "end" && before[i].tick <= enter.tick && enter.tick < exit.tick &&
                  exit.tick <= after[i].tick;
    }
    EXPECT_EQ(inside, kCalls);
}

TEST_F(Bracketing, AThreadThatNapsIsShownOffTheCpuAndRunningAgainWithinItsMarkers) {
    constexpr std::size_t kNaps = 100;
    ASSERT_EQ(record({"--linux", "sched", "--", SLA_HOST_PROGRAM, "naps", std::to_string(kNaps)}), 0) << errors_;
    if (absent_) GTEST_SKIP() << "skipped, because " << errors_;
    HostRows rows = this->rows({"host.*", "linux.thread.*", "linux.cpu.*"});
    const std::vector<HostRow>& before = rows["host.before"];
    const std::vector<HostRow>& after = rows["host.after"];
    ASSERT_EQ(before.size(), kNaps);
    ASSERT_EQ(after.size(), kNaps);
    if (kernel_hides_switches(rows))
        GTEST_SKIP() << "skipped, because this kernel does not tell switches away from idle now";
    const std::vector<HostRow> states = states_of_program(rows);
    std::size_t slept = 0;
    std::size_t blocked = 0;
    for (std::size_t i = 0; i < kNaps; i++) {
        auto at = std::lower_bound(states.begin(), states.end(), before[i].tick,
                                   [](const HostRow& row, std::uint64_t tick) { return row.tick < tick; });
        bool off = false;
        bool ran_after = false;
        for (; at != states.end() && at->tick <= after[i].tick; ++at) {
            // Pre-empted on its way to sleep, on a busy machine, it may find its time already over.
            if (at->text == "blocked" || at->text == "runnable") off = true;
            if (at->text == "blocked") blocked++;
            if (at->text == "running" && off) ran_after = true;
        }
        slept += off && ran_after;
    }
    // A nap that is over before the thread gets off the CPU, on a busy machine, is none.
    EXPECT_GE(slept, kNaps * 9 / 10);
    EXPECT_GE(blocked, kNaps / 2);
}

}  // namespace
}  // namespace sla
