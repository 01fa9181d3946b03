// How far the time-stamp counters of this machine's cores are apart: a bound, not a guess.
//
// Two threads, each pinned to a core, hand a number to and fro over a shared cache line and stamp it:
//
//   core A   t0 ──────►                      ──► t2        B's counter read t1 at some moment between A's t0 and t2, so
//   core B            ──► t1 ──────►                       B - A lies in [t1 - t2, t1 - t0]
//
// Every round trip narrows that interval; the quickest ones make it about one cache-line transfer wide on each side of the
// true difference. An interval that holds 0 cannot tell the cores apart: they are synchronized as far as anything that
// passes between them can see.
#pragma once

#include "proto/time/clock_map.h"

#include <chrono>
#include <cstdint>
#include <limits>
#include <vector>

namespace sla::time {

// What the rounds say of one core's counter against the reference core's.
struct SkewInterval {
    std::int64_t low = std::numeric_limits<std::int64_t>::min();
    std::int64_t high = std::numeric_limits<std::int64_t>::max();

    void narrow(std::uint64_t sent, std::uint64_t answered, std::uint64_t received);
    [[nodiscard]] bool is_known() const;
    // Crossed bounds: the counters moved against each other while they were compared.
    [[nodiscard]] bool is_steady() const { return low <= high; }
    [[nodiscard]] bool holds_zero() const { return low <= 0 && high >= 0; }
};

struct CoreSkew {
    std::uint32_t cores = 0;  // compared, the reference among them; below 2 nothing is known
    SkewBound bound;          // between any two of them

    [[nodiscard]] bool is_known() const { return cores >= 2; }
};

// One interval for each core but the reference.
CoreSkew skew_of(const std::vector<SkewInterval>& intervals);

// Compares the cores that this process may run on (the first 64). Takes a fraction of a millisecond a core when they are
// idle; stops comparing when `budget` is over. Makes threads of its own; the caller's affinity stays as it is.
CoreSkew measure_core_skew(std::chrono::milliseconds budget = std::chrono::milliseconds(100));

}  // namespace sla::time
