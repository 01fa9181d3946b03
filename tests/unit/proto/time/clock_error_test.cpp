#include "proto/time/clock_map.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace sla::time {
namespace {

constexpr std::uint64_t kSecond = 1'000'000'000;

ClockSnapshot error_snapshot(std::uint64_t tick, std::int64_t raw_ns, std::uint32_t error_ticks = 50) {
    ClockSnapshot made;
    made.tick = tick;
    made.monotonic_raw_ns = raw_ns;
    made.error_ticks = error_ticks;
    return made;
}

// One tick a nanosecond, a snapshot a second; from second `jump_at` on the counter is `ticks` ahead.
std::vector<ClockSnapshot> with_jump(int seconds, int jump_at, std::int64_t ticks) {
    std::vector<ClockSnapshot> made;
    for (int i = 0; i < seconds; ++i) {
        const auto now = static_cast<std::int64_t>(kSecond) * (i + 100);
        made.push_back(error_snapshot(static_cast<std::uint64_t>(now + (i >= jump_at ? ticks : 0)), now));
    }
    return made;
}

TEST(ClockError, SkewCountsBetweenThreadsOnly) {
    ClockMap map = ClockMap::fit({error_snapshot(0, 0, 0), error_snapshot(kSecond, kSecond, 0)}, 0);
    map.set_skew({120, true});
    EXPECT_EQ(map.delta_error_ps(0), 2000);
    EXPECT_EQ(map.delta_error_ps(0, Stamps::kOneThread), 2000);
    EXPECT_EQ(map.delta_error_ps(0, Stamps::kTwoThreads), 122'000);
    EXPECT_EQ(map.error_between(500, 100, Stamps::kTwoThreads), map.delta_error_ps(400, Stamps::kTwoThreads));
}

TEST(ClockError, CoresThatAreApartCountForOneThreadTooSinceItMayMove) {
    ClockMap map = ClockMap::fit({error_snapshot(0, 0, 0), error_snapshot(kSecond, kSecond, 0)}, 0);
    map.set_skew({5000, false});
    EXPECT_EQ(map.delta_error_ps(0, Stamps::kOneThread), 5'002'000);
    map.set_skew({~std::uint64_t{0}, false});
    EXPECT_GT(map.delta_error_ps(0), 0);
}

TEST(ClockError, AJumpDoesNotBendTheLineAndIsInEveryTimeAcrossIt) {
    for (const std::int64_t jump : {std::int64_t{400'000'000}, std::int64_t{-300'000'000}}) {
        const ClockMap map = ClockMap::fit(with_jump(30, 10, jump), 100 * kSecond);
        EXPECT_NEAR(map.ticks_per_second(), 1e9, 1e3);
        ASSERT_EQ(map.breaks().size(), 1U);
        EXPECT_NEAR(static_cast<double>(map.breaks()[0].ps), std::abs(static_cast<double>(jump)) * 1e3, 1e6);
        const std::uint64_t after = 111 * kSecond + static_cast<std::uint64_t>(jump);
        EXPECT_LT(map.error_between(105 * kSecond, 106 * kSecond, Stamps::kOneThread), 1'000'000);
        EXPECT_LT(map.error_between(after, after + kSecond, Stamps::kOneThread), 1'000'000);
        EXPECT_GE(map.error_between(105 * kSecond, after, Stamps::kOneThread), std::abs(jump) * 1000);
        EXPECT_GE(map.error_between(after, 105 * kSecond, Stamps::kOneThread), std::abs(jump) * 1000);
    }
}

TEST(ClockError, AWanderingRateShowsAsResidual) {
    std::vector<ClockSnapshot> made;
    double tick = 0;
    for (int i = 0; i < 40; ++i) {
        made.push_back(error_snapshot(static_cast<std::uint64_t>(tick), static_cast<std::int64_t>(kSecond) * i));
        tick += 1e9 * (1 + 20e-6 * std::sin(i * 0.3));
    }
    const ClockMap map = ClockMap::fit(made, 0);
    EXPECT_TRUE(map.breaks().empty());
    EXPECT_GT(map.residual_ps(), 10'000'000);
    EXPECT_GE(map.delta_error_ps(1), map.residual_ps());
    EXPECT_EQ(ClockMap::fit(with_jump(30, 30, 0), 0).residual_ps(), 0);
}

TEST(ClockError, TrueTimesLieWithinTheErrorWhateverTwoClocksAndReadingsDo) {
    std::mt19937_64 random(5);
    for (int round = 0; round < 300; ++round) {
        const double ticks_per_ns = 0.5 + static_cast<double>(random() % 5000) / 1000;
        std::vector<ClockSnapshot> made;
        for (int i = 0; i < 12; ++i) {
            const auto ns = static_cast<double>(i) * 1e7 * static_cast<double>(1 + random() % 3);
            const auto error = static_cast<std::int64_t>(random() % 100);
            const auto off = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(2 * error + 1)) - error;
            const auto tick = static_cast<std::int64_t>(1e12 + ns * ticks_per_ns) + off;
            made.push_back(error_snapshot(static_cast<std::uint64_t>(tick), static_cast<std::int64_t>(ns),
                                          static_cast<std::uint32_t>(error) + 1));
        }
        const ClockMap map = ClockMap::fit(made, 1'000'000'000'000);
        const auto ticks = static_cast<std::int64_t>(random() % 1'000'000'000);
        const auto true_ps = static_cast<double>(ticks) / ticks_per_ns * 1e3;
        ASSERT_LE(std::abs(static_cast<double>(map.ticks_to_ps(ticks)) - true_ps),
                  static_cast<double>(map.delta_error_ps(static_cast<std::uint64_t>(ticks))));
    }
}

}  // namespace
}  // namespace sla::time
