#include "viewer/analysis/intervals/intervals.h"

#include "viewer/analysis/intervals/interval_walks.h"
#include "viewer/analysis/intervals/level_walk.h"
#include "viewer/analysis/intervals/pair_walk.h"

#include <algorithm>
#include <functional>

namespace sla::analysis {

using store::Lane;

void each_channel_interval(const Lane& lane, const Selection& range, const IntervalVisitor& visit) {
    ChannelWalk(lane, range).go_on(lane.size(), std::ref(visit));
}
void each_span(const Lane& lane, const Selection& range, const IntervalVisitor& visit, std::uint64_t open_until) {
    SpanWalk(lane, range, open_until).go_on(store::kNever, std::ref(visit));
}
void each_high(const Lane& lane, const Selection& range, const IntervalVisitor& visit, std::uint64_t open_until) {
    LevelWalk walk(lane, range);
    walk.go_on(indices_of(lane, range).last, [&](LevelTime which, const Interval& interval) {
        if (which == LevelTime::kHigh) visit(interval);
    });
    const std::uint64_t known = std::min(std::max(open_until, lane.last_tick()), range.until);
    if (const auto open = walk.open_until(known)) visit(*open);
}
void each_pair_interval(const Lane& a, const Lane& b, const Selection& range, const IntervalVisitor& visit,
                        std::uint64_t open_until) {
    PairWalk(a, b, range, open_until).go_on(store::kNever, std::ref(visit));
}

std::uint64_t overhead_ticks(const store::Session& session, const Lane& lane) {
    const store::Source* source = session.source_of(lane);
    if (source != nullptr && source->clock_domain != 0) return 0;  // a time that it makes up: markers take none of it
    if (lane.channel().section_ticks != 0) return lane.channel().section_ticks;
    return source != nullptr && source->section_ticks != 0 ? source->section_ticks : session.stamp_ticks();
}

std::uint64_t overhead_ticks(const store::Session& session, const Lane& a, const Lane& b) {
    return (overhead_ticks(session, a) + overhead_ticks(session, b)) / 2;
}

Intervals pair_intervals(const Lane& a, const Lane& b, const Selection& range, const Overhead& overhead) {
    Intervals out;
    out.overhead = overhead;
    out.lost_events = lost_in(a, range) + (&a == &b ? 0 : lost_in(b, range));
    PairWalk(a, b, range).go_on(store::kNever, Collect{out});
    return out;
}

}  // namespace sla::analysis
