// A time that was shown moves by no more than the error that was shown with it, whatever is learned of the clock since.
#include "proto/time/shown_rate.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <random>
#include <vector>

namespace sla::time {
namespace {

constexpr std::uint64_t kShownOrigin = 1'000'000'000'000;
constexpr std::uint64_t kTicksASecond = 2'600'000'000;  // ticks

// Readings of a counter of about 2.6 GHz, each wrong by up to its error; from some of them on the rate is another.
std::vector<ClockSnapshot> readings(std::uint32_t seed, double drift_ppb) {
    std::mt19937 random(seed);
    std::vector<ClockSnapshot> out;
    double ns = 5e9;
    std::uint64_t tick = kShownOrigin;
    for (int i = 0; i < 60; ++i) {
        const double rate = 1e9 / static_cast<double>(kTicksASecond) * (1 + (i > 20 ? drift_ppb / 1e9 : 0));
        const std::uint64_t step = kTicksASecond / 10 + random() % (2 * kTicksASecond);
        tick += step;
        ns += static_cast<double>(step) * rate;
        ClockSnapshot one;
        one.error_ticks = 20 + random() % 200;
        one.tick = tick + random() % (2 * one.error_ticks + 1) - one.error_ticks;
        one.monotonic_raw_ns = static_cast<std::int64_t>(ns);
        out.push_back(one);
    }
    return out;
}

struct Shown {
    std::uint64_t tick;
    std::int64_t ps;
    std::int64_t error;
};

// The most that any row moved beyond the error it was shown with.
std::int64_t worst(const std::vector<ClockSnapshot>& all, bool is_kept) {
    ShownRate shown;
    std::vector<Shown> rows;
    std::vector<ClockSnapshot> known;
    std::int64_t beyond = 0;
    for (const ClockSnapshot& next : all) {
        known.push_back(next);
        ClockMap clock = ClockMap::fit(known, kShownOrigin, 2.6e9);
        if (is_kept) shown.limit(clock);
        if (is_kept) shown.note(clock);
        for (const Shown& row : rows) beyond = std::max(beyond, std::abs(clock.to_ps(row.tick) - row.ps) - row.error);
        for (const std::uint64_t tick : {next.tick, next.tick / 2 + kShownOrigin / 2, kShownOrigin + 1}) {
            rows.push_back({tick, clock.to_ps(tick), clock.delta_error_ps(tick - kShownOrigin)});
        }
    }
    return beyond;
}

TEST(ShownRate, NoTimeThatWasShownMovesBeyondItsError) {
    for (std::uint32_t seed = 1; seed <= 50; ++seed) {
        for (const double drift_ppb : {0.0, 50.0, -2000.0, 40'000.0}) {
            EXPECT_LE(worst(readings(seed, drift_ppb), true), 0) << "seed " << seed << ", drift " << drift_ppb;
        }
    }
}

TEST(ShownRate, WithoutItSomeWould) {
    std::int64_t beyond = 0;
    for (std::uint32_t seed = 1; seed <= 50; ++seed) beyond = std::max(beyond, worst(readings(seed, -2000.0), false));
    EXPECT_GT(beyond, 0);
}

TEST(ShownRate, TheErrorOfARateThatWasHeldBackCoversWhatWasFitted) {
    const ClockMap first = ClockMap::fit({{0, 0, 0, 10, 0}, {1'000'000'000, 1'000'000'000, 0, 10, 0}}, 0);
    ClockMap second = ClockMap::fit({{0, 0, 0, 10, 0}, {1'000'000'000, 1'000'001'000, 0, 10, 0}}, 0);
    const ClockMap fitted = second;
    ShownRate shown;
    shown.limit(second);
    EXPECT_EQ(second.to_ps(1'000'000), fitted.to_ps(1'000'000)) << "nothing was shown yet";
    shown.note(first);
    shown.limit(second);
    const double way = (fitted.ticks_per_second() / second.ticks_per_second() - 1) * 1e9;
    EXPECT_LT(way, 0);
    EXPECT_GE(second.slope_error_ppb() + 1e-6, fitted.slope_error_ppb() - way);
    EXPECT_LE(second.slope_error_ppb(), 1.01 * (fitted.slope_error_ppb() - way));
}

TEST(ShownRate, WhatNobodyBelievedOrCountsFromElsewhereDoesNotBind) {
    ShownRate shown;
    shown.note(ClockMap());
    shown.note(ClockMap::fit({}, 0));
    ClockMap later = ClockMap::fit({{0, 0, 0, 0, 0}, {3'000'000'000, 1'000'000'000, 0, 0, 0}}, 0);
    shown.limit(later);
    EXPECT_NEAR(later.ticks_per_second(), 3e9, 10);
    shown.note(later);
    ClockMap elsewhere = ClockMap::fit({{0, 0, 0, 0, 0}, {2'000'000'000, 1'000'000'000, 0, 0, 0}}, 77);
    shown.limit(elsewhere);
    EXPECT_NEAR(elsewhere.ticks_per_second(), 2e9, 10);
}

}  // namespace
}  // namespace sla::time
