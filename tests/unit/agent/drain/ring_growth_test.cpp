#include "agent/drain/ring_growth.h"

#include <gtest/gtest.h>

namespace sla::drain {
namespace {

constexpr std::uint64_t kStart = 1'000'000'000;
constexpr std::uint64_t kCapacity = 1000;

// Reads `each` slots a window, `windows` times; what was asked for at last.
std::uint64_t read_windows(RingGrowth& growth, int windows, std::size_t each, std::uint64_t start = kStart) {
    std::uint64_t asked = 0;
    for (int window = 0; window <= windows; window++) {
        std::uint64_t now = start + static_cast<std::uint64_t>(window) * kRateWindowTicks;
        asked = std::max(asked, growth.observe(now, each, kCapacity, 0.1));
    }
    return asked;
}

TEST(RingGrowth, ARingThatLastsLongEnoughIsLeftAlone) {
    RingGrowth growth;
    EXPECT_EQ(read_windows(growth, 100, kCapacity * kRateWindowTicks / kHoldTicks), 0u);
}

TEST(RingGrowth, ASustainedRateAsksForWhatItFillsWhileNobodyReads) {
    RingGrowth growth;
    EXPECT_EQ(read_windows(growth, 2, 400), 400 * kHoldTicks / kRateWindowTicks);
}

TEST(RingGrowth, WhatLayThereBeforeTheFirstLookIsNoRate) {
    RingGrowth growth;
    EXPECT_EQ(growth.observe(kStart, 1'000'000, kCapacity, 0.1), 0u);
    EXPECT_EQ(growth.observe(kStart + kRateWindowTicks, 0, kCapacity, 0), 0u);
    EXPECT_EQ(growth.observe(kStart + 2 * kRateWindowTicks, 0, kCapacity, 0), 0u);
}

TEST(RingGrowth, ABurstOfOneWindowIsNoRateEither) {
    RingGrowth growth;
    growth.observe(kStart, 0, kCapacity, 0);
    EXPECT_EQ(growth.observe(kStart + kRateWindowTicks, 450, kCapacity, 0.2), 0u);
    EXPECT_EQ(growth.observe(kStart + 2 * kRateWindowTicks, 5, kCapacity, 0), 0u);
    EXPECT_EQ(growth.observe(kStart + 3 * kRateWindowTicks, 450, kCapacity, 0.2), 0u);
}

TEST(RingGrowth, AQuarterFullAsksAtOnceForFourTimesAsMuch) {
    RingGrowth growth;
    EXPECT_EQ(growth.observe(kStart, 300, kCapacity, 0.3), 4 * kCapacity);
}

TEST(RingGrowth, AsksOnce) {
    RingGrowth growth;
    EXPECT_NE(growth.observe(kStart, 300, kCapacity, 0.3), 0u);
    EXPECT_EQ(growth.observe(kStart + 1, 1000, kCapacity, 1.0), 0u);
}

TEST(RingGrowth, AClockThatStepsBackIsNoRate) {
    RingGrowth growth;
    growth.observe(kStart, 10, kCapacity, 0);
    EXPECT_EQ(growth.observe(kStart / 2, 1'000'000, kCapacity, 0.1), 0u);
}

}  // namespace
}  // namespace sla::drain
