// The line through clock snapshots: picoseconds per tick with its error, how far the snapshots lie off it, and where the
// counter jumped. Snapshots may come from a hostile stream: any values, in any order.
#pragma once

#include "proto/time/clock_map.h"

#include <optional>
#include <vector>

namespace sla::time {

// Picoseconds per tick in 64.64 fixed point.
struct Slope {
    std::uint64_t whole = 1000;
    std::uint64_t fraction = 0;
    double error_ppb = 0;
};

struct ClockFit {
    Slope slope;
    std::int64_t residual_ps = 0;    // how far a snapshot lies off the line beyond its own error, at most
    std::vector<ClockBreak> breaks;  // in order of tick
};

// Nothing without two snapshots that make a sensible slope.
std::optional<ClockFit> fit_clock(std::vector<ClockSnapshot> snapshots);

}  // namespace sla::time
