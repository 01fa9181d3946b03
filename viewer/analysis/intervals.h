// Intervals: stretches of time between two events, collected for statistics.
//
//   of a channel    from each event to the next one
//   of spans        from each begin to its end
//   of a pair A:B   from each start of A to the first start of B at or after it. A start is any event, but of spans the
//   begin and of
//                   levels the rise to high
//
// An interval within which either channel lost events is not counted as an interval, but in `lost_intervals`: nobody knows
// what lay in it. `culled` counts what was begun and had no end of its own: an A followed by another A, a span cut or still
// open. Units: ticks. Both ends lie in the selection's range.
#pragma once

#include "viewer/analysis/selection.h"

#include <cstdint>
#include <vector>

namespace sla::analysis {

struct Intervals {
    std::vector<std::uint64_t> widths;  // in order of begin
    std::uint64_t lost_intervals = 0;
    std::uint64_t lost_events = 0;  // by the gap rows of the channel (of both, for a pair) within the range
    std::uint64_t culled = 0;
};

Intervals channel_intervals(const store::Lane& lane, const Selection& range = {});
Intervals span_intervals(const store::Lane& lane, const Selection& range = {});
Intervals pair_intervals(const store::Lane& a, const store::Lane& b, const Selection& range = {});

}  // namespace sla::analysis
