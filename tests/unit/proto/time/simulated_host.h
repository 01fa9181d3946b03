// A host whose clocks a test bends, and whose truth it knows: a counter that drifts, wanders and jumps, the kernel's steady
// clock made of it, a wall clock that is slewed, set and given leap seconds, and what the kernel says of that.
#pragma once

#include "proto/time/clock_map.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

namespace sla::time {

class SimulatedHost {
public:
    static constexpr double kNever = std::numeric_limits<double>::infinity();

    double hz = 2.7e9;
    double first_tick = 1e12;
    double drift_ppb = 0;        // of the counter against truth
    double wander_ppb = 0;       // of the drift, to and fro
    double wander_period = 600;  // seconds
    double wall_offset_ns = 0;   // of the wall clock, to and fro, as it is slewed
    double wall_period = 300;
    double set_at = kNever;    // seconds: the wall clock is set,
    double set_by_ns = 0;      // having been off by less that much before
    bool kernel_knows = true;  // and its bound covered that
    double leap_at = kNever;
    double moved_at = kNever;  // the counter jumps
    double moved_by_ns = 0;
    double synchronised_from = -kNever;
    double margin_ns = 1e6;  // that the kernel's bound has over the truth
    std::uint32_t reading_ticks = 60;

    // Seconds of truth to a stamp.
    [[nodiscard]] double steady_ns(double at) const {
        const double turn = 2 * M_PI / wander_period;
        return at * 1e9 * (1 + drift_ppb * 1e-9) + wander_ppb / turn * std::sin(at * turn);
    }
    [[nodiscard]] std::uint64_t tick(double at) const {
        const double ns = steady_ns(at) + (at >= moved_at ? moved_by_ns : 0);
        return static_cast<std::uint64_t>(first_tick + ns * hz / 1e9);
    }
    [[nodiscard]] static std::int64_t utc_ns(double at, double leap_at) {
        return kEpochNs + static_cast<std::int64_t>(at * 1e9) - (at >= leap_at ? 1'000'000'000 : 0);
    }
    [[nodiscard]] std::int64_t utc_ns(double at) const { return utc_ns(at, leap_at); }
    [[nodiscard]] double wall_error_ns(double at) const {
        return wall_offset_ns * std::sin(2 * M_PI * at / wall_period) + (at < set_at ? -set_by_ns : 0);
    }

    ClockSnapshot snapshot(double at, std::mt19937_64& random) const {
        ClockSnapshot made;
        std::uniform_real_distribution<double> reading(-1, 1);
        const double off = reading(random) * reading_ticks;
        made.tick = static_cast<std::uint64_t>(static_cast<double>(tick(at)) + off);
        made.error_ticks = reading_ticks + 1;
        made.monotonic_raw_ns = static_cast<std::int64_t>(steady_ns(at));
        made.realtime_ns = utc_ns(at) + static_cast<std::int64_t>(wall_error_ns(at));
        made.realtime_error_ticks = 2 * reading_ticks + 1;
        made.wall.state = at >= synchronised_from ? WallState::kSynchronised : WallState::kUnsynchronised;
        made.wall.tai_offset_s = at >= leap_at ? 38 : 37;
        const double second = std::floor(at);  // when the kernel last looked
        const double known =
            wall_offset_ns * std::sin(2 * M_PI * second / wall_period) + (kernel_knows && at < set_at ? -set_by_ns : 0);
        made.wall.max_error_ns = static_cast<std::int64_t>(std::abs(known) + margin_ns);
        return made;
    }
    [[nodiscard]] std::vector<ClockSnapshot> snapshots(double until, double every, std::mt19937_64& random) const {
        std::vector<ClockSnapshot> all;
        std::uniform_real_distribution<double> late(0, every / 10);
        for (double at = 1; at < until; at += every) all.push_back(snapshot(at + late(random), random));
        std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.tick < b.tick; });
        return all;
    }

    static constexpr std::int64_t kEpochNs = 1'800'000'000'000'000'000;
};

}  // namespace sla::time
