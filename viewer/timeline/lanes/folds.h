// Axis breaks: intervals of ticks that are taken out of the axis, each shown as one place.
//
//   ticks          ──────a═══════════b──────c═════d─────►
//   the axis       ──────│───────────│──►   place = tick - what was taken out before it
//
// All ticks of an interval stand at the place where it begins. Immutable, shared by the viewports that were made with
// it; any thread. O(log intervals) a question.
#pragma once

#include "viewer/timeline/tick_range.h"

#include <cstdint>
#include <span>
#include <vector>

namespace sla::timeline {

class Folds {
public:
    // In any order; those that touch or overlap become one, those without length are left out.
    explicit Folds(std::vector<TickRange> intervals);

    [[nodiscard]] bool empty() const { return intervals_.empty(); }
    [[nodiscard]] std::span<const TickRange> intervals() const { return intervals_; }

    // Ticks before 0 are places before 0: a viewport reaches there.
    [[nodiscard]] std::int64_t place_of(std::int64_t tick) const;
    // The first tick at that place.
    [[nodiscard]] std::int64_t tick_at(std::int64_t place) const;

private:
    std::vector<TickRange> intervals_;        // by tick, disjoint
    std::vector<std::int64_t> taken_before_;  // an interval: how much was taken out before it
};

}  // namespace sla::timeline
