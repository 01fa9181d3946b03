#include "proto/time/clock_map.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <random>

namespace sla::time {
namespace {

constexpr std::int64_t kMaxPs = std::numeric_limits<std::int64_t>::max();

ClockSnapshot snapshot(std::uint64_t tick, std::int64_t raw_ns, std::uint32_t error_ticks = 0) {
    ClockSnapshot made;
    made.tick = tick;
    made.monotonic_raw_ns = raw_ns;
    made.error_ticks = error_ticks;
    return made;
}

// 2.7 GHz from tick 1000, one second of it.
ClockMap map_27(std::uint64_t origin = 1000) {
    return ClockMap::fit({snapshot(1000, 500), snapshot(1000 + 2'700'000'000, 500 + 1'000'000'000)}, origin);
}

TEST(ClockMap, CountsANanosecondATickUntilToldOtherwise) {
    const ClockMap map;
    EXPECT_EQ(map.to_ps(7), 7000);
    EXPECT_EQ(map.to_tick(7000), 7U);
    EXPECT_DOUBLE_EQ(map.ticks_per_second(), 1e9);
}

TEST(ClockMap, TakesItsSlopeFromTwoSnapshots) {
    const ClockMap map = map_27();
    EXPECT_NEAR(map.ticks_per_second(), 2.7e9, 1e-3);
    EXPECT_EQ(map.to_ps(1000), 0);
    EXPECT_EQ(map.to_ps(1000 + 2'700'000'000), 1'000'000'000'000);
    EXPECT_EQ(map.to_ps(1027), 10'000);
    EXPECT_EQ(map.to_ps(973), -10'000);
}

TEST(ClockMap, RoundsToTheNearestPicosecondOnBothSidesOfTheOrigin) {
    const ClockMap map = map_27();  // 370.37 ps a tick
    EXPECT_EQ(map.to_ps(1001), 370);
    EXPECT_EQ(map.to_ps(1002), 741);
    EXPECT_EQ(map.to_ps(998), -741);
    EXPECT_EQ(map.ticks_to_ps(2), 741);
    EXPECT_EQ(map.ticks_to_ps(-2), -741);
}

TEST(ClockMap, FindsBackEveryTickFromItsTime) {
    std::mt19937_64 random(1);
    for (const double hz : {1e6, 1e9, 2.7e9, 5.123456e9}) {
        const std::uint64_t origin = std::uint64_t{1} << 59;
        const ClockMap map = ClockMap::fit({}, origin, hz);
        for (int i = 0; i < 20000; ++i) {
            const std::uint64_t distance = random() >> (12 + random() % 50);
            if (map.ticks_to_ps(static_cast<std::int64_t>(distance)) == kMaxPs) continue;
            const std::uint64_t tick = i % 2 == 0 ? origin + distance : origin - distance;
            ASSERT_EQ(map.to_tick(map.to_ps(tick)), tick) << hz;
        }
    }
}

TEST(ClockMap, NeverRunsBackwards) {
    const ClockMap map = map_27();
    std::int64_t previous = map.to_ps(0);
    for (std::uint64_t tick = 1; tick < 5000; ++tick) {
        const std::int64_t ps = map.to_ps(tick);
        ASSERT_GT(ps, previous);
        previous = ps;
    }
}

TEST(ClockMap, SaturatesInsteadOfOverflowing) {
    const ClockMap map = map_27(0);
    EXPECT_EQ(map.to_ps(std::numeric_limits<std::uint64_t>::max()), kMaxPs);
    EXPECT_EQ(map_27(std::numeric_limits<std::uint64_t>::max()).to_ps(0), -kMaxPs);
    EXPECT_EQ(map.ticks_to_ps(std::numeric_limits<std::int64_t>::min()), -kMaxPs);
    EXPECT_EQ(map.ticks_to_ps(std::numeric_limits<std::int64_t>::max()), kMaxPs);
    EXPECT_EQ(map.to_tick(-1'000'000), 0U);
    EXPECT_EQ(ClockMap::fit({}, std::numeric_limits<std::uint64_t>::max() - 5).to_tick(kMaxPs),
              std::numeric_limits<std::uint64_t>::max());
    EXPECT_EQ(ClockMap().to_tick(std::numeric_limits<std::int64_t>::min()), 0U);
    EXPECT_EQ(map.delta_error_ps(0), 741);
    EXPECT_GT(map.delta_error_ps(std::numeric_limits<std::uint64_t>::max()), 0);
}

TEST(ClockMap, KeepsAnHourExactToThePicosecondOfItsFit) {
    const std::uint64_t ticks = 2'718'281'828ULL * 3600;
    const std::int64_t ns = 3'600'000'000'000;
    const ClockMap map = ClockMap::fit({snapshot(0, 0), snapshot(ticks, ns)}, 0);
    EXPECT_EQ(map.to_ps(ticks), ns * 1000);
    EXPECT_EQ(map.to_ps(ticks / 2), ns * 500);
}

TEST(ClockMap, TellsTheSlopesErrorFromTheSnapshotsErrors) {
    const ClockMap map = ClockMap::fit({snapshot(0, 0, 1000), snapshot(1'000'000'000, 1'000'000'000, 500)}, 0);
    // 1500 ticks and the kernel's nanosecond, in 10^9
    EXPECT_NEAR(map.slope_error_ppb(), 1501, 0.001);
    // two ticks of granularity, and 1501 ppb of a millisecond
    EXPECT_EQ(map.delta_error_ps(1'000'000), 2000 + 1501);
}

TEST(ClockMap, PrefersGoodSnapshotsToFarOnes) {
    const ClockMap map =
        ClockMap::fit({snapshot(0, 40'000, 50'000), snapshot(1'000'000, 1'000'000, 10),
                       snapshot(900'000'000, 900'000'000, 10), snapshot(1'000'000'000, 1'000'070'000, 90'000)},
                      0);
    EXPECT_NEAR(map.ticks_per_second(), 1e9, 1.0);
    EXPECT_LT(map.slope_error_ppb(), 30);
}

TEST(ClockMap, HoldsItsPromisedErrorWithNoisySnapshots) {
    std::mt19937_64 random(2);
    constexpr double kHz = 2.5e9;
    for (int round = 0; round < 200; ++round) {
        std::vector<ClockSnapshot> snapshots;
        for (int i = 0; i < 20; ++i) {
            const std::uint64_t true_tick = 1'000'000 + static_cast<std::uint64_t>(i) * 250'000'000;
            const auto error = static_cast<std::uint32_t>(random() % 5000);
            const std::int64_t off = static_cast<std::int64_t>(random() % (2 * error + 1)) - error;
            const auto ns = static_cast<std::int64_t>(static_cast<double>(true_tick) / kHz * 1e9);
            snapshots.push_back(snapshot(true_tick + static_cast<std::uint64_t>(off), ns, error));
        }
        const ClockMap map = ClockMap::fit(snapshots, 0);
        ASSERT_LE(std::abs(map.ticks_per_second() / kHz - 1) * 1e9, map.slope_error_ppb() + 1e-3);
        ASSERT_LT(map.slope_error_ppb(), 2500);
    }
}

TEST(ClockMap, FallsBackToTheNominalRateAndOwnsUpToIt) {
    const ClockMap nominal = ClockMap::fit({snapshot(5, 5)}, 0, 2e9);
    EXPECT_DOUBLE_EQ(nominal.ticks_per_second(), 2e9);
    EXPECT_DOUBLE_EQ(nominal.slope_error_ppb(), 1e6);
    const ClockMap unknown = ClockMap::fit({}, 0);
    EXPECT_DOUBLE_EQ(unknown.ticks_per_second(), 1e9);
    EXPECT_DOUBLE_EQ(unknown.slope_error_ppb(), 1e9);
}

TEST(ClockMap, IsNotLedAstrayBySnapshotsWithoutSense) {
    const std::int64_t lowest = std::numeric_limits<std::int64_t>::min();
    const std::uint64_t last = std::numeric_limits<std::uint64_t>::max();
    for (const auto& snapshots : std::vector<std::vector<ClockSnapshot>>{
             {snapshot(5, 5), snapshot(5, 9)},
             {snapshot(5, 9), snapshot(50, 5)},
             {snapshot(0, lowest), snapshot(1, kMaxPs)},
             {snapshot(0, 0), snapshot(last, 1)},
         }) {
        const ClockMap map = ClockMap::fit(snapshots, 3, 1e9);
        EXPECT_DOUBLE_EQ(map.ticks_per_second(), 1e9);
    }
    for (const double hz : {-1.0, 0.0, 1e300, std::nan("")})
        EXPECT_DOUBLE_EQ(ClockMap::fit({}, 0, hz).ticks_per_second(), 1e9);
}

TEST(ClockMap, SurvivesAnySnapshots) {
    std::mt19937_64 random(3);
    for (int round = 0; round < 5000; ++round) {
        std::vector<ClockSnapshot> snapshots(random() % 5);
        for (ClockSnapshot& made : snapshots) {
            made.tick = random() >> random() % 64;
            made.monotonic_raw_ns = static_cast<std::int64_t>(random()) >> random() % 64;
            made.realtime_ns = static_cast<std::int64_t>(random()) >> random() % 64;
            made.error_ticks = static_cast<std::uint32_t>(random());
            made.stamp_ticks = static_cast<std::uint32_t>(random());
        }
        const ClockMap map = ClockMap::fit(snapshots, random() >> random() % 64, 1e9);
        ASSERT_GE(map.ticks_per_second(), 999.0);
        ASSERT_LE(map.ticks_per_second(), 1.001e12);
        ASSERT_GE(map.delta_error_ps(random()), 0);
        static_cast<void>(map.to_tick(map.to_ps(random())));
    }
}

TEST(ClockMap, KnowsTheWallClockOfItsOriginAndTheCostOfAStamp) {
    ClockSnapshot first = snapshot(2'000'000, 2'000'000);
    first.realtime_ns = 1'700'000'000'000'000'000;
    first.stamp_ticks = 24;
    const ClockMap map = ClockMap::fit({first, snapshot(1'000'000'000, 1'000'000'000)}, 1'000'000);
    EXPECT_EQ(map.origin_realtime_ns(), 1'700'000'000'000'000'000 - 1'000'000);
    EXPECT_EQ(map.delta_error_ps(0), 26'000);
    EXPECT_EQ(map_27().origin_realtime_ns(), 0);
}

TEST(ClockMap, GivesTheWallClockOfATickRoundedDownWhereItIsKnown) {
    ClockSnapshot first = snapshot(2'000'000, 1'000'000);  // 2 GHz
    first.realtime_ns = 1'700'000'000'000'000'000;
    const ClockMap map = ClockMap::fit({first, snapshot(1'000'000'000, 500'000'000)}, 2'000'000);
    EXPECT_EQ(map.utc_ns(2'000'003), first.realtime_ns + 1);
    EXPECT_EQ(map.utc_ns(1'999'999), first.realtime_ns - 1);
    EXPECT_EQ(map_27().utc_ns(1), std::nullopt);
    first.realtime_ns = std::numeric_limits<std::int64_t>::max() - 1'000;
    const ClockMap last = ClockMap::fit({first, snapshot(1'000'000'000, 500'000'000)}, 2'000'000);
    EXPECT_EQ(last.utc_ns(2'002'000), std::numeric_limits<std::int64_t>::max());
    EXPECT_EQ(last.utc_ns(2'002'002), std::nullopt);
}

}  // namespace
}  // namespace sla::time
