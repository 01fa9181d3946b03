// The clock as one step of draining sees it: when the step began, and what an honest stamp can be at most.
//
//   ──────────┬───────────────────┬──────────────┬───────────►
//            now                present()      latest()          a stamp up to here may be true: another core's counter is
//        read before any       read when it is                   ahead by the skew at most; one beyond it is damage
//        ring was looked at    asked for
#pragma once

#include "proto/time/tick_clock.h"

#include <sla/ring_abi.h>

#include <algorithm>
#include <cstdint>

namespace sla::drain {

// How far another core's counter may be ahead while the cores have not been compared, 100 ms at 3 GHz.
inline constexpr std::uint64_t kUnknownSkewTicks = 300'000'000;

// A processor may read its counter before it does what stands in front of that, by 20 µs at 3 GHz at the very most.
inline constexpr std::uint64_t kEarlyReadTicks = 60'000;

class StepClock {
public:
    using Read = std::uint64_t (*)();

    explicit StepClock(std::uint64_t now, std::uint64_t skew_ticks = 0, Read read = &time::read_stamp)
        : now_(now), ahead_(skew_ticks + kEarlyReadTicks), read_(read), known_possible_(now + ahead_) {}

    // For what a program stamps with a clock of its own: any tick can be true, and nobody knows its present.
    [[nodiscard]] StepClock of_own_clock() const {
        StepClock own = *this;
        own.own_ = true;
        return own;
    }

    [[nodiscard]] std::uint64_t now() const { return now_; }
    // So long before now.
    [[nodiscard]] std::uint64_t before(std::uint64_t ticks) const { return now_ - std::min(now_, ticks); }
    [[nodiscard]] std::uint64_t present() const { return own_ ? 0 : std::max(now_, read_() & SLA_TICK_MASK); }
    [[nodiscard]] std::uint64_t latest() const { return present() + ahead_; }
    // A stamp that was seen before this call can be true. Reads the clock only for one that is newer than the last reading.
    [[nodiscard]] bool is_possible(std::uint64_t tick) const {
        if (own_ || tick <= known_possible_) return true;
        known_possible_ = latest();
        return tick <= known_possible_;
    }

private:
    std::uint64_t now_;
    std::uint64_t ahead_;
    Read read_;
    bool own_ = false;
    mutable std::uint64_t known_possible_;  // latest() as last asked for; it only grows
};

}  // namespace sla::drain
