// Walks over one lane's rows that find its intervals, and can rest anywhere: many lanes are walked chunk by chunk of a file
// together, so that each chunk is read once. Private to the room.
#pragma once

#include "proto/capture/summary/interval_sums.h"
#include "viewer/analysis/intervals/intervals.h"
#include "viewer/analysis/intervals/loss_reach.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

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

// From each event to the next one. 1 to 2 ns a row that is at hand. A loss that does not say how long it lasted is taken to end at
// the next row, whosever it is, as a page's sums take it, unless it follows threads.
class ChannelWalk {
public:
    ChannelWalk(const store::Lane& lane, const Selection& range)
        : lane_(&lane),
          range_until_(range.until),
          at_(lane.lower_bound(range.from)),
          inside_(range.until == store::kNever ? lane.size() : lane.least_before(range.until)),
          losses_(LossReach::of_ended(lane, at_, range.from)),
          is_lossy_(losses_.lasts_behind(range.from)),
          lost_from_(range.from) {}

    // Before it goes anywhere: a loss that does not say how long it lasted lasts until its thread is heard of again, also one of
    // before the range. Rows of before are looked at, and pages with such losses are walked.
    void follow_threads() {
        follows_threads_ = true;
        losses_ = LossReach(*lane_, at_, lost_from_);
        is_lossy_ = losses_.lasts_behind(lost_from_);
    }
    // visit(const Interval&) for those that end before row `until`.
    template <typename Visit>
    void go_on(std::uint64_t until, Visit visit) {
        // The page in which the range ends is read when the walk comes there, so that others can fetch it meanwhile.
        if (until > inside_) until = std::min(until, lane_->lower_bound(range_until_, at_));
        while (at_ < until) {
            const store::Columns rows = lane_->columns_from(at_);
            const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(rows.rows, until - at_));
            for (std::size_t i = 0; i < count; ++i) {
                if (rows.codes[i] == SLA_CODE_GAP) {
                    if (lane_->gap_at(at_ + i) == nullptr) ++unreadable_;
                    lose_from(rows.ticks[i]);
                    losses_.pass(at_ + i, rows.ticks[i], followed(rows.threads[i]));
                    losses_.add(*lane_, at_ + i, followed(rows.threads[i]));
                    continue;
                }
                if (has_begun_) {
                    visit(Interval{tick_, rows.ticks[i], !knows_thread_ || thread_ == rows.threads[i],
                                   is_lossy_ ? IntervalState::kLossy : IntervalState::kWhole});
                } else {
                    begin(rows.ticks[i]);
                }
                has_begun_ = knows_thread_ = true;
                tick_ = rows.ticks[i];
                thread_ = rows.threads[i];
                if (!is_lossy_) continue;
                losses_.pass(at_ + i, tick_, followed(thread_));
                is_lossy_ = losses_.lasts_behind(tick_);
            }
            at_ += count;
        }
    }

    // Where it stands, and the event before, of which it must have come by one.
    [[nodiscard]] std::uint64_t at() const { return at_; }
    [[nodiscard]] bool has_begun() const { return has_begun_; }
    [[nodiscard]] bool is_lossy() const { return is_lossy_; }
    [[nodiscard]] std::uint64_t last_tick() const { return tick_; }
    [[nodiscard]] const LossReach& losses() const { return losses_; }
    // Where losses may have had events before the first one: from there to it.
    [[nodiscard]] const std::optional<Interval>& lossy_begin() const { return lossy_begin_; }
    // Events that it came to and that cannot be read: they are in no table of losses.
    [[nodiscard]] std::uint64_t unreadable() const { return unreadable_; }
    // Goes on at that row of the same lane in another session.
    void move_to(const store::Lane& lane, std::uint64_t row) {
        lane_ = &lane;
        at_ = row;
    }
    // Behind a page that was passed the thread of the event before is not known: visitors receive the interval that
    // begins with it as of one thread, unless it is looked up, in the page's rows.
    [[nodiscard]] bool knows_thread() const { return knows_thread_; }
    void look_up_thread() {
        std::uint64_t row = at_;
        while (row > 0 && (*lane_)[row - 1].code == SLA_CODE_GAP) --row;
        if (row > 0) thread_ = lane_->thread(row - 1);
        knows_thread_ = true;
    }

    // Whether `sums` can stand for that page's rows: it lies in the range as a whole, and the walk has come to it.
    [[nodiscard]] bool can_pass(const store::Page& page, const IntervalSums& sums) const {
        return at_ == page.first && page.end() <= inside_ && sums.events == page.rows - page.gaps &&
               (sums.events == 0 || (sums.first_tick >= page.first_tick && sums.last_tick <= page.last_tick)) &&
               !may_reach_over_rows(*lane_, page, sums.first_tick) &&
               !(follows_threads_ && (losses_.is_open() || has_endless_loss(*lane_, page)));
    }
    // The same for such a page: `visit` receives the interval that leads into it; the rest is in the sums.
    template <typename Visit>
    void pass(const store::Page& page, const IntervalSums& sums, Visit visit) {
        at_ = page.end();
        losses_ = LossReach::of_ended(*lane_, at_, page.last_tick);
        if (sums.gap_before) lose_from(page.first_tick);
        if (sums.events == 0) return;
        if (has_begun_) {
            visit(Interval{tick_, sums.first_tick, true, is_lossy_ ? IntervalState::kLossy : IntervalState::kWhole});
        } else {
            begin(sums.first_tick);
        }
        has_begun_ = true;
        is_lossy_ = sums.gap_after;
        tick_ = sums.last_tick;
        knows_thread_ = false;
    }

private:
    [[nodiscard]] std::uint32_t followed(std::uint32_t thread) const { return follows_threads_ ? thread : 0; }
    void lose_from(std::uint64_t tick) {
        if (!is_lossy_) lost_from_ = tick;
        is_lossy_ = true;
    }
    void begin(std::uint64_t tick) {
        if (is_lossy_) lossy_begin_ = Interval{lost_from_, tick, false, IntervalState::kLossy};
    }

    const store::Lane* lane_;
    std::uint64_t range_until_;
    std::uint64_t at_;
    std::uint64_t inside_;  // rows below this one are not behind the range
    LossReach losses_;      // of an event that they do not last behind, they are over
    bool is_lossy_;         // events behind the last one may be missing
    bool follows_threads_ = false;
    std::uint64_t lost_from_;
    std::optional<Interval> lossy_begin_;
    std::uint64_t unreadable_ = 0;
    bool has_begun_ = false;
    bool knows_thread_ = true;
    std::uint64_t tick_ = 0;
    std::uint32_t thread_ = 0;
};

// From each begin to its end. A span that is open lasts at least until the lane's last event, and until `open_until` (within
// the range), when more than that event is known.
class SpanWalk {
public:
    SpanWalk(const store::Lane& lane, const Selection& range, std::uint64_t open_until = 0)
        : lane_(&lane), range_(&range), open_until_(open_until), id_(lane.spans().lower_bound(range.from)) {}

    // Those whose number is below `until`; `range` is still there.
    template <typename Visit>
    void go_on(std::uint64_t until, Visit visit) {
        const store::LaneSpans spans = lane_->spans();
        const std::uint64_t known = std::min(lane_->last_tick(), range_->until);
        for (const std::uint64_t end = std::min(until, spans.size()); id_ < end; ++id_) {
            const store::Span span = spans[id_];
            if (span.begin_tick >= range_->until) return;
            Interval interval{span.begin_tick, std::min(span.end_tick, known), true, IntervalState::kWhole};
            if (span.state == store::SpanState::kCut || begins_in_loss(span)) {
                interval.state = IntervalState::kLossy;
            } else if (span.state == store::SpanState::kOpen || !range_->holds(span.end_tick)) {
                interval.state = IntervalState::kUnfinished;
                interval.end_tick = std::max(interval.end_tick, open_until_);
            }
            visit(interval);
        }
    }

    [[nodiscard]] std::uint64_t at() const { return id_; }

    // As above. The spans that leave the page are known one by one.
    [[nodiscard]] bool can_pass(const store::Page& page, const IntervalSums& sums) const {
        const auto [begin, end] = crossing_of(page);
        const auto leaving = static_cast<std::uint64_t>(end - begin);
        return id_ == page.first_span && sums.spans.count + sums.cut + leaving == page.begins &&
               !may_reach_over_rows(*lane_, page, sums.first_tick);
    }
    template <typename Visit>
    void pass(const store::Page& page, Visit visit) {
        const auto [begin, end] = crossing_of(page);
        for (auto at = begin; at != end; ++at) {
            id_ = at->id;
            go_on(at->id + 1, visit);
        }
        id_ = page.first_span + page.begins;
    }

private:
    // Of its thread, or of nobody knows whom: its own end may be lost, and the one it has another's.
    [[nodiscard]] bool begins_in_loss(const store::Span& span) const {
        const auto& gaps = lane_->gaps();
        if (gaps.empty()) return false;
        for (std::size_t i = lane_->first_gap_touching(span.begin_tick + 1); i < gaps.size(); ++i) {
            if (gaps[i].index >= span.begin_index) break;
            if (gaps[i].until_tick <= span.begin_tick) continue;
            const std::uint32_t thread = lane_->thread(gaps[i].index);
            if (thread == 0 || thread == span.thread) return true;
        }
        return false;
    }
    using Crossing = std::vector<store::NumberedSpan>::const_iterator;
    [[nodiscard]] std::pair<Crossing, Crossing> crossing_of(const store::Page& page) const {
        const auto& all = lane_->pages()->crossing();
        const auto from = [&](std::uint64_t id) {
            return std::lower_bound(all.begin(), all.end(), id,
                                    [](const store::NumberedSpan& one, std::uint64_t wanted) { return one.id < wanted; });
        };
        return {from(page.first_span), from(page.first_span + page.begins)};
    }

    const store::Lane* lane_;
    const Selection* range_;
    std::uint64_t open_until_;
    std::uint64_t id_;
};

// Keeps the widths and counts the rest.
template <typename Into>
struct Collect {
    explicit Collect(Into& into) : out(into) {}
    void operator()(const Interval& interval) const { out.add(interval); }

    Into& out;
};

// By loss rows in the range.
inline std::uint64_t lost_in(const store::Lane& lane, const Selection& range) {
    return lane.missing_between(range.from, range.until).lost;
}

}  // namespace sla::analysis
