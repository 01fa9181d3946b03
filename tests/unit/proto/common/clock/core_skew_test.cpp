#include "proto/common/clock/core_skew.h"

#include <gtest/gtest.h>

#include <random>
#include <thread>

namespace sla::time {
namespace {

// Rounds between two simulated counters, the second one `offset` ahead, with random delays each way.
SkewInterval simulate(std::int64_t offset, std::uint64_t quickest, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    SkewInterval interval;
    std::uint64_t now = std::uint64_t{1} << 40;
    for (int round = 0; round < 300; ++round) {
        const std::uint64_t sent = now;
        const std::uint64_t there = sent + quickest + random() % 400;
        const std::uint64_t back = there + quickest + random() % 400;
        interval.narrow(sent, there + static_cast<std::uint64_t>(offset), back);
        now = back + 10;
    }
    return interval;
}

TEST(CoreSkew, IntervalAlwaysHoldsTheTrueDifference) {
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
        const auto offset = static_cast<std::int64_t>(seed * 37) - 900;
        const SkewInterval interval = simulate(offset, 60, seed);
        ASSERT_TRUE(interval.is_known());
        ASSERT_TRUE(interval.is_steady());
        ASSERT_LE(interval.low, offset);
        ASSERT_GE(interval.high, offset);
        ASSERT_LT(interval.high - interval.low, 2 * 60 + 80);
    }
}

TEST(CoreSkew, CountersThatAgreeAreSynchronizedWithinABound) {
    const CoreSkew skew = skew_of({simulate(0, 60, 1), simulate(0, 60, 2)});
    EXPECT_EQ(skew.cores, 3U);
    EXPECT_TRUE(skew.bound.synchronized);
    EXPECT_GE(skew.bound.ticks, 60U);
    EXPECT_LT(skew.bound.ticks, 300U);
}

TEST(CoreSkew, CountersApartAreReportedWithABoundThatCoversTheWidestPair) {
    const CoreSkew skew = skew_of({simulate(5000, 60, 1), simulate(-7000, 60, 2), simulate(0, 60, 3)});
    EXPECT_FALSE(skew.bound.synchronized);
    EXPECT_GE(skew.bound.ticks, 12'000U);
    EXPECT_LT(skew.bound.ticks, 12'400U);
}

TEST(CoreSkew, CountersThatMoveAgainstEachOtherAreNotSynchronized) {
    SkewInterval moving = simulate(2000, 60, 1);
    moving.narrow(1000, 1000, 1100);  // now it is behind
    EXPECT_FALSE(moving.is_steady());
    const CoreSkew skew = skew_of({moving});
    EXPECT_FALSE(skew.bound.synchronized);
    EXPECT_GE(skew.bound.ticks, 1900U);
}

TEST(CoreSkew, NothingIsKnownOfACoreThatNeverAnswered) {
    EXPECT_FALSE(skew_of({SkewInterval{}}).is_known());
    EXPECT_FALSE(skew_of({}).is_known());
    EXPECT_EQ(skew_of({SkewInterval{}, simulate(0, 60, 1)}).cores, 2U);
}

TEST(CoreSkew, CoresOfThisMachineAreComparedWithinTheBudget) {
    const auto begin = std::chrono::steady_clock::now();
    const CoreSkew skew = measure_core_skew(std::chrono::milliseconds(500));
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(10));
    EXPECT_GE(skew.cores, 1U);
    if (!skew.is_known()) GTEST_SKIP() << "this process may run on one core only";
    EXPECT_GT(skew.bound.ticks, 0U);
    EXPECT_LT(skew.bound.ticks, 1'000'000'000U);
}

}  // namespace
}  // namespace sla::time
