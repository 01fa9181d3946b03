// Walks over one lane's rows that find its intervals, and can rest anywhere: many lanes are walked chunk by chunk of a file
// together, so that each chunk is read once. Private to the room.
#pragma once

#include "viewer/analysis/intervals.h"

#include <algorithm>
#include <cstdint>

namespace sla::analysis {

// Rows [first, last) of a lane within a range of ticks.
struct IndexRange {
    std::uint64_t first;
    std::uint64_t last;
};

inline IndexRange indices_of(const store::Lane& lane, const Selection& range) {
    const std::uint64_t first = lane.lower_bound(range.from);
    return {first, range.until == store::kNever ? lane.size() : lane.lower_bound(range.until, first)};
}

// From each event to the next one. 1 to 2 ns a row that is at hand.
class ChannelWalk {
public:
    ChannelWalk(const store::Lane& lane, const Selection& range) : lane_(&lane), at_(indices_of(lane, range)) {}

    // visit(const Interval&) for those that end before row `until`.
    template <typename Visit>
    void go_on(std::uint64_t until, Visit visit) {
        until = std::min(until, at_.last);
        while (at_.first < until) {
            const store::Columns rows = lane_->columns_from(at_.first);
            const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(rows.rows, until - at_.first));
            for (std::size_t i = 0; i < count; ++i) {
                if (rows.codes[i] == SLA_CODE_GAP) {
                    is_lossy_ = true;
                    continue;
                }
                if (has_begun_) {
                    visit(Interval{tick_, rows.ticks[i], thread_ == rows.threads[i],
                                   is_lossy_ ? IntervalState::kLossy : IntervalState::kWhole});
                }
                has_begun_ = true;
                is_lossy_ = false;
                tick_ = rows.ticks[i];
                thread_ = rows.threads[i];
            }
            at_.first += count;
        }
    }

private:
    const store::Lane* lane_;
    IndexRange at_;
    bool has_begun_ = false;
    bool is_lossy_ = false;
    std::uint64_t tick_ = 0;
    std::uint32_t thread_ = 0;
};

// From each begin to its end.
class SpanWalk {
public:
    SpanWalk(const store::Lane& lane, const Selection& range)
        : lane_(&lane), range_(&range), id_(lane.spans().lower_bound(range.from)) {}

    // Those whose number is below `until`; `range` is still there.
    template <typename Visit>
    void go_on(std::uint64_t until, Visit visit) {
        const store::LaneSpans spans = lane_->spans();
        const std::uint64_t known = std::min(lane_->last_tick(), range_->until);
        for (const std::uint64_t end = std::min(until, spans.size()); id_ < end; ++id_) {
            const store::Span span = spans[id_];
            if (span.begin_tick >= range_->until) return;
            Interval interval{span.begin_tick, std::min(span.end_tick, known), true, IntervalState::kWhole};
            if (span.state == store::SpanState::kCut) {
                interval.state = IntervalState::kLossy;
            } else if (span.state == store::SpanState::kOpen || !range_->holds(span.end_tick)) {
                interval.state = IntervalState::kUnfinished;
            }
            visit(interval);
        }
    }

private:
    const store::Lane* lane_;
    const Selection* range_;
    std::uint64_t id_;
};

// Keeps the widths and counts the rest.
struct Collect {
    Intervals& out;
    void operator()(const Interval& interval) const {
        switch (interval.state) {
            case IntervalState::kLossy: ++out.lost_intervals; return;
            case IntervalState::kUnfinished: ++out.unfinished; return;
            case IntervalState::kWhole: break;
        }
        out.widths.push_back(out.overhead.reduced(interval));
    }
};

// By loss rows in the range.
inline std::uint64_t lost_in(const store::Lane& lane, const Selection& range) {
    return lane.lost_between(range.from, range.until);
}

}  // namespace sla::analysis
