// All intervals of one lane at once, as a walk over its rows finds them: what statistics from sums are compared with.
#pragma once

#include "viewer/analysis/intervals/intervals.h"

namespace sla::support {

inline analysis::Intervals channel_intervals(const store::Lane& lane, const analysis::Selection& range = {}) {
    analysis::Intervals out;
    out.lost_events = lane.missing_between(range.from, range.until).lost;
    analysis::each_channel_interval(lane, range, [&](const analysis::Interval& one) { out.add(one); });
    return out;
}

inline analysis::Intervals span_intervals(const store::Lane& lane, const analysis::Selection& range = {}) {
    analysis::Intervals out;
    out.lost_events = lane.missing_between(range.from, range.until).lost;
    analysis::each_span(lane, range, [&](const analysis::Interval& one) { out.add(one); });
    return out;
}

}  // namespace sla::support
