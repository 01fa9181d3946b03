// Ticks to time, in integers, with the error of every answer.
//
// A ClockMap is fitted to snapshots (tick and CLOCK_MONOTONIC_RAW read together). It maps linearly from its origin:
//
//   ps = (tick - origin) * scale / 2^64      in 128-bit integers, rounded to nearest; negative before the origin
//
// The slope comes from the pair of snapshots whose own errors are smallest against the distance between them; the slope's
// error is that quotient, so it is a bound, not a guess. Snapshots may come from a hostile stream: what makes no sense
// (no distance, below 1 kHz, above 1 THz) is not used.
// Value type; cheap to copy; no I/O.
#pragma once

#include <cstdint>
#include <vector>

namespace sla::time {

// One reading of both clocks together: the instant `tick` was `monotonic_raw_ns`, give or take error_ticks.
struct ClockSnapshot {
    std::uint64_t tick = 0;
    std::int64_t monotonic_raw_ns = 0;
    std::int64_t realtime_ns = 0;
    std::uint32_t error_ticks = 0;
    std::uint32_t stamp_ticks = 0;  // what taking one stamp costs, mode of many; 0: not measured
};

class ClockMap {
public:
    // 1 tick = 1 ns until snapshots say otherwise.
    ClockMap() = default;

    // Without two snapshots that give a slope, the slope is `fallback_hz`, believed to 0.1 %; 0 means 1 GHz, not believed
    // at all (slope_error_ppb 10^9). The last snapshot that measured what a stamp costs is the one that counts.
    static ClockMap fit(const std::vector<ClockSnapshot>& snapshots, std::uint64_t origin_tick, double fallback_hz = 0);

    [[nodiscard]] std::uint64_t origin_tick() const { return origin_; }
    [[nodiscard]] double ticks_per_second() const;
    [[nodiscard]] double slope_error_ppb() const { return slope_error_ppb_; }

    // Picoseconds from the origin; saturates at ±106 days.
    [[nodiscard]] std::int64_t to_ps(std::uint64_t tick) const;
    [[nodiscard]] std::int64_t ticks_to_ps(std::int64_t ticks) const;
    // The tick nearest to that time.
    [[nodiscard]] std::uint64_t to_tick(std::int64_t ps) const;

    // Error (±, ps) of the time between two stamps this many ticks apart: one tick of granularity at each end, the cost of
    // a stamp, and the slope's error over the distance.
    [[nodiscard]] std::int64_t delta_error_ps(std::uint64_t distance_ticks) const;

    // Wall clock (ns since 1970) of the origin, 0 when no snapshot gave it.
    [[nodiscard]] std::int64_t origin_realtime_ns() const { return origin_realtime_ns_; }

private:
    std::uint64_t origin_ = 0;
    std::uint64_t scale_hi_ = 1000;  // picoseconds per tick: whole part
    std::uint64_t scale_lo_ = 0;     // and fraction, in 1/2^64
    double slope_error_ppb_ = 0;
    std::int64_t origin_realtime_ns_ = 0;
    std::uint32_t stamp_ticks_ = 0;
};

}  // namespace sla::time
