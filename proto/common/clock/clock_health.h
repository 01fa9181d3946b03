// What is known of the clock that stamps, and whether times made of its stamps can be believed.
//
// HealthWatch is fed what is observed (clock snapshots, comparisons of cores, readings of one thread) and keeps the verdict;
// it reads no clock itself, so tests feed it clocks of their own. Owner: one thread.
#pragma once

#include "proto/common/clock/core_skew.h"
#include "proto/time/tick_clock.h"

#include <cstdint>
#include <optional>
#include <string>

namespace sla::time {

struct ClockHealth {
    StampClock clock = StampClock::kTsc;
    bool invariant = false;
    CoreSkew skew;
    double drift_ppb = 0;              // newest interval against the long run; 0 while the readings' errors explain it
    std::uint64_t backward_steps = 0;  // readings of one thread that went back
    std::uint64_t offset_changes = 0;  // jumps against CLOCK_MONOTONIC_RAW: a virtual machine was moved or stopped
    std::uint64_t rate_changes = 0;    // the counter went on at another rate
    double rate_change_ppb = 0;        // the last one
    std::uint32_t stamp_ticks = 0;

    // One line for people of what is wrong and what follows from it; empty: nothing.
    [[nodiscard]] std::string problem() const;
    // One line of what is known, good and bad: "TSC, invariant; 2 cores agree within 120 ticks; ...".
    [[nodiscard]] std::string text() const;
};

class HealthWatch {
public:
    HealthWatch(StampClock clock, bool invariant) {
        health_.clock = clock;
        health_.invariant = invariant;
    }

    // In the order in which they were taken.
    void on_snapshot(const ClockSnapshot& snapshot);
    void on_skew(const CoreSkew& skew);
    // Every reading of one and the same thread.
    void on_reading(std::uint64_t tick);

    [[nodiscard]] const ClockHealth& health() const { return health_; }

private:
    // A rate of the counter, from two snapshots.
    struct Rate {
        double ns_per_tick = 0;
        double error_ppb = 0;
    };
    static std::optional<Rate> rate_between(const ClockSnapshot& first, const ClockSnapshot& last);
    [[nodiscard]] bool jumped(const ClockSnapshot& snapshot) const;
    void begin_interval(const ClockSnapshot& snapshot);
    void judge_rate(const ClockSnapshot& snapshot);

    ClockHealth health_;
    std::optional<ClockSnapshot> anchor_;  // first of the interval without jump
    ClockSnapshot last_;
    std::optional<Rate> rate_;         // over the interval
    std::optional<Rate> before_jump_;  // of the interval before, until this one's is known as well
    std::uint64_t newest_reading_ = 0;
};

}  // namespace sla::time
