// Ticks to time, in integers, with the error of every answer.
//
// A ClockMap is fitted to snapshots (tick and CLOCK_MONOTONIC_RAW read together). It maps linearly from its origin:
//
//   ps = (tick - origin) * scale / 2^64      in 128-bit integers, rounded to nearest; negative before the origin
//
// The slope comes from the pair of snapshots whose own errors are smallest against the distance between them; the slope's
// error is that quotient, so it is a bound, not a guess. Where the counter jumped between two snapshots is a break: the
// slope is fitted beside it, and every time across it carries its size as error. Snapshots may come from a hostile stream:
// what makes no sense (no distance, below 1 kHz, above 1 THz) is not used. Value type; cheap to copy (a break is rare); no
// I/O. The errors and their formula: README.md.
#pragma once

#include "proto/time/wall_clock.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace sla::time {

// One reading of both clocks together: the instant `tick` was `monotonic_raw_ns`, give or take error_ticks.
struct ClockSnapshot {
    std::uint64_t tick = 0;
    std::int64_t monotonic_raw_ns = 0;
    std::int64_t realtime_ns = 0;
    std::uint32_t error_ticks = 0;
    std::uint32_t stamp_ticks = 0;           // what taking one stamp costs, mode of many; 0: not measured
    std::uint32_t realtime_error_ticks = 0;  // realtime_ns was read within ± this of `tick`; 0: not measured
    WallClock wall = {};
    bool is_given = false;  // measured by nobody: what a tick stands for was written in an imported file
};

// Rates of one counter that differ by no more than this are drift; more within one interval is a jump.
inline constexpr double kBelievableDriftPpb = 100'000;

// Between these ticks the counter jumped against CLOCK_MONOTONIC_RAW by `ps`, forth or back.
struct ClockBreak {
    std::uint64_t from_tick = 0;
    std::uint64_t until_tick = 0;
    std::int64_t ps = 0;
};

// How far the counters of two cores are apart at most; see core_skew.h.
struct SkewBound {
    std::uint64_t ticks = 0;
    bool synchronized = true;  // no: they are apart, so that even one thread's stamps are when it moves between cores
};

// Whose stamps a time lies between; made up: of a simulator that counts its own time, exact to a tick.
enum class Stamps { kOneThread, kTwoThreads, kMadeUp };

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

    // Every time between two stamps is wrong by so much more: they were moved here from other hosts.
    void add_error(std::int64_t ps, double slope_error_ppb);
    void add_break(const ClockBreak& one) { breaks_.push_back(one); }
    void set_skew(const SkewBound& skew) { skew_ = skew; }
    [[nodiscard]] const SkewBound& skew() const { return skew_; }
    // For times that no counter was read for: what a stamp costs, skew and jumps of the counter do not touch them.
    void count_made_up_time();
    // Most that a snapshot lies off the line beyond its own reading's error.
    [[nodiscard]] std::int64_t residual_ps() const { return residual_ps_; }
    [[nodiscard]] const std::vector<ClockBreak>& breaks() const { return breaks_; }

    // Error (±, ps) of the time between two stamps this many ticks apart with no break between them: one tick of
    // granularity at each end, the cost of a stamp, the slope's error over the distance, the fit's residual, and between
    // two threads the skew of their cores.
    [[nodiscard]] std::int64_t delta_error_ps(std::uint64_t distance_ticks, Stamps stamps = Stamps::kOneThread) const;
    // The same with the breaks that lie between the two.
    [[nodiscard]] std::int64_t error_between(std::uint64_t from_tick, std::uint64_t to_tick, Stamps stamps) const;
    // The sizes of the breaks that lie between the two.
    [[nodiscard]] std::int64_t breaks_between(std::uint64_t from_tick, std::uint64_t to_tick) const;

    // Wall clock (ns since 1970) of the origin, 0 when no snapshot gave it.
    [[nodiscard]] std::int64_t origin_realtime_ns() const { return origin_realtime_ns_; }
    // Wall clock of a tick, rounded down; nothing when that of the origin is not known, and beyond what 64 bits hold.
    [[nodiscard]] std::optional<std::int64_t> utc_ns(std::uint64_t tick) const;

private:
    friend class ShownRate;

    std::uint64_t origin_ = 0;
    std::uint64_t scale_hi_ = 1000;  // picoseconds per tick: whole part
    std::uint64_t scale_lo_ = 0;     // and fraction, in 1/2^64
    double slope_error_ppb_ = 0;
    std::int64_t origin_realtime_ns_ = 0;
    std::uint32_t stamp_ticks_ = 0;
    std::int64_t residual_ps_ = 0;
    SkewBound skew_;
    std::vector<ClockBreak> breaks_;
};

}  // namespace sla::time
