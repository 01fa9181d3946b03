#include "proto/time/tick_clock.h"

#include <gtest/gtest.h>
#include <time.h>

namespace sla::time {
namespace {

std::int64_t raw_now() {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC_RAW, &now);
    return static_cast<std::int64_t>(now.tv_sec) * 1'000'000'000 + now.tv_nsec;
}

TEST(TickClock, SnapshotLiesBetweenReadingsAroundIt) {
    const std::uint64_t tick_before = read_tsc();
    const std::int64_t raw_before = raw_now();
    const ClockSnapshot snapshot = take_snapshot();
    const std::int64_t raw_after = raw_now();
    const std::uint64_t tick_after = read_tsc();
    EXPECT_GT(snapshot.tick, tick_before);
    EXPECT_LT(snapshot.tick, tick_after);
    EXPECT_GE(snapshot.monotonic_raw_ns, raw_before);
    EXPECT_LE(snapshot.monotonic_raw_ns, raw_after);
    EXPECT_GT(snapshot.realtime_ns, std::int64_t{1'600'000'000'000'000'000});
    EXPECT_GT(snapshot.error_ticks, 0U);
    EXPECT_LT(snapshot.error_ticks, tick_after - tick_before);
}

TEST(TickClock, TwoSnapshotsGiveARateThatAProcessorMayHave) {
    const ClockSnapshot first = take_snapshot();
    while (raw_now() < first.monotonic_raw_ns + 2'000'000) {
    }
    const ClockMap map = ClockMap::fit({first, take_snapshot()}, first.tick);
    EXPECT_GT(map.ticks_per_second(), 1e8);
    EXPECT_LT(map.ticks_per_second(), 1e10);
    EXPECT_LT(map.slope_error_ppb(), 1e6);
}

TEST(TickClock, StampCostsSomethingButNotMuch) {
    const std::uint32_t cost = measure_stamp_ticks();
    EXPECT_GT(cost, 0U);
    EXPECT_LT(cost, 1000U);
}

TEST(TickClock, HealthSaysWhatFollowsForPeople) {
    EXPECT_TRUE(tsc_health().present);
    EXPECT_FALSE(tsc_health().text().empty());
    EXPECT_NE((TscHealth{true, false, true, 0}.text().find("not invariant")), std::string::npos);
    EXPECT_FALSE((TscHealth{true, false, false, 0}.good()));
    EXPECT_EQ((TscHealth{true, true, true, 2.7e9}.text()),
              "the time-stamp counter is invariant, 2.700 GHz by CPUID, in a virtual machine");
    EXPECT_NE((TscHealth{}.text().find("nothing can be stamped")), std::string::npos);
}

}  // namespace
}  // namespace sla::time
