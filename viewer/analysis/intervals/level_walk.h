// LevelWalk: how long a lane's level was high and low, and from rise to rise: its pulses, pauses and periods. A row that says
// the same level again changes nothing; what was lost inside may have been a change, so that such a time is none that counts.
// Can rest anywhere, like the walks of interval_walks.h. Private to the room.
#pragma once

#include "viewer/analysis/intervals/interval_walks.h"
#include "viewer/analysis/intervals/loss_reach.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace sla::analysis {

class LevelWalk {
public:
    LevelWalk(const store::Lane& lane, const Selection& range) : LevelWalk(lane, lane.lower_bound(range.from), range.from) {}
    // From that row on, which is the first at that tick or behind it.
    LevelWalk(const store::Lane& lane, std::uint64_t row, std::uint64_t from)
        : lane_(&lane), at_(row), losses_(lane, row, from) {
        const std::optional<store::Level> before = level_before(lane, row);
        is_new_ = !before;
        has_level_ = before && *before != store::Level::kUnknown;
        is_high_ = before == store::Level::kHigh;
    }
    // Goes on at that row of the same lane in another session.
    void move_to(const store::Lane& lane, std::uint64_t row) {
        lane_ = &lane;
        at_ = row;
    }

    // visit(LevelTime, const Interval&) for those that end before row `until`. 1 to 2 ns a row that is at hand.
    template <typename Visit>
    void go_on(std::uint64_t until, Visit visit) {
        while (at_ < until) {
            const store::Columns rows = lane_->columns_from(at_);
            const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(rows.rows, until - at_));
            for (std::size_t i = 0; i < count; ++i) {
                if (rows.codes[i] == SLA_CODE_GAP) {
                    since_.is_lossy = risen_.is_lossy = true;
                    is_new_ = is_sure_ = false;
                    losses_.pass(at_ + i, rows.ticks[i], rows.threads[i]);
                    losses_.add(*lane_, at_ + i, rows.threads[i]);
                } else if (rows.codes[i] == SLA_CODE_LEVEL) {
                    losses_.pass(at_ + i, rows.ticks[i], rows.threads[i]);
                    const bool in_loss = losses_.lasts_behind(rows.ticks[i]);
                    take(rows.values[i] != 0, {rows.ticks[i], rows.threads[i], in_loss || !is_sure_, true}, visit);
                    is_sure_ = !in_loss;
                }
            }
            at_ += count;
        }
    }
    // A pulse that is not over: as long as that, at least.
    [[nodiscard]] std::optional<Interval> open_until(std::uint64_t tick) const {
        if (!is_high_ || !since_.is_known || tick < since_.tick) return std::nullopt;
        return Interval{since_.tick, tick, true, since_.is_lossy ? IntervalState::kLossy : IntervalState::kUnfinished};
    }

private:
    // Where a time begins; not known: before the first row, so that the time does not count.
    struct Edge {
        std::uint64_t tick = 0;
        std::uint32_t thread = 0;
        bool is_lossy = false;  // something was lost behind it, or before it that may have been the change itself
        bool is_known = false;
    };
    static Interval between(const Edge& begin, const Edge& end) {
        return {begin.tick, end.tick, begin.thread == end.thread,
                begin.is_lossy ? IntervalState::kLossy : IntervalState::kWhole};
    }

    template <typename Visit>
    void take(bool is_high, const Edge& edge, Visit& visit) {
        if (!has_level_) {  // what it was before nobody knows: the time that it is in does not count
            has_level_ = true;
            is_high_ = is_high;
            if (is_new_ && !lane_->begins_late()) begin(edge);
            return;
        }
        if (is_high == is_high_) return;
        if (since_.is_known) visit(is_high_ ? LevelTime::kHigh : LevelTime::kLow, between(since_, edge));
        is_high_ = is_high;
        if (is_high && risen_.is_known) visit(LevelTime::kPeriod, between(risen_, edge));
        begin(edge);
    }
    void begin(const Edge& edge) {
        since_ = edge;
        if (is_high_) risen_ = edge;
    }

    const store::Lane* lane_;
    std::uint64_t at_;
    LossReach losses_;
    bool is_new_ = true;      // nothing came before the first level that it comes to
    bool has_level_ = false;  // it is known, as it was behind the row before
    bool is_high_ = false;
    bool is_sure_ = true;  // nothing was lost since that may have changed it
    Edge since_;
    Edge risen_;
};

// As Collect, of each LevelTime apart.
template <typename Into>
struct CollectLevels {
    explicit CollectLevels(std::vector<Into>& into) : out(into) {}
    void operator()(LevelTime which, const Interval& interval) const { out[static_cast<std::size_t>(which)].add(interval); }

    std::vector<Into>& out;
};

}  // namespace sla::analysis
