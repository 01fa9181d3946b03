// Walks over lanes that grow, for who takes their intervals as they come and never looks back: an interval is given when its
// end is there, and what has no end yet can be looked at. Rows that were walked over may be gone from memory.
//
//   rows     walked over, may be gone ──┬── final now ──┬── may still be joined by others ──►
//                                  go_on(end)          end
//
// A lane may go on in another session (move_to): the same channel, opened anew. Private to the room. Value types; what a row
// costs is what it costs in the walks over lanes that are whole (interval_walks.h, pair_walk.h).
#pragma once

#include "viewer/analysis/intervals/level_walk.h"
#include "viewer/analysis/intervals/pair_walk.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace sla::analysis {

// From where on that row and those behind it are all that there is.
inline std::uint64_t tick_from(const store::Lane& lane, std::uint64_t row) {
    if (row == 0) return 0;
    const std::uint64_t behind = lane.tick(row - 1) + 1;
    return row < lane.size() ? std::min(behind, lane.tick(row)) : behind;
}

// From each event to the next one, beginning with that row.
inline ChannelWalk growing_channel_walk(const store::Lane& lane, std::uint64_t row) {
    Selection behind;
    behind.from = tick_from(lane, row);
    ChannelWalk walk(lane, behind);
    walk.move_to(lane, row);
    return walk;
}

inline LevelWalk growing_level_walk(const store::Lane& lane, std::uint64_t row) {
    return {lane, row, tick_from(lane, row)};
}

// From each begin to its end, in order of the ends but for those that ended in the same step.
class GrowingSpanWalk {
public:
    // A span whose end is not there.
    struct Open {
        std::uint64_t id = 0;  // kGone: nobody will know its end
        std::uint64_t begin_tick = 0;
        std::uint32_t thread = 0;
        bool is_lossy = false;  // its own end may be lost
        bool is_noted = false;  // the owner's

        [[nodiscard]] Interval interval(std::uint64_t until) const {
            return {begin_tick, std::max(until, begin_tick), true,
                    is_lossy ? IntervalState::kLossy : IntervalState::kUnfinished};
        }
    };

    static constexpr std::uint64_t kGone = store::kNever;

    // Spans that begin in that row or later.
    GrowingSpanWalk(const store::Lane& lane, std::uint64_t row);

    // Those that end in rows below `end`: visit(const Interval&, bool is_noted).
    template <typename Visit>
    void go_on(std::uint64_t end, Visit visit) {
        if (end <= row_) return;
        note_losses(end);
        const store::LaneSpans spans = lane_->spans();
        std::erase_if(open_, [&](const Open& one) {
            if (one.id == kGone) visit(one.interval(one.begin_tick), one.is_noted);
            return one.id == kGone || has_ended(one, spans[one.id], end, visit);
        });
        for (; id_ < spans.size(); ++id_) {
            const store::Span span = spans[id_];
            if (span.begin_index >= end) break;
            const Open one{id_, span.begin_tick, span.thread, begins_in_loss(span), false};
            if (!has_ended(one, span, end, visit)) open_.push_back(one);
        }
        row_ = end;
        forget_losses();
    }
    // Those that have not ended, which lasted until that tick at least; they are forgotten.
    template <typename Visit>
    void give_up(std::uint64_t until, Visit visit) {
        for (const Open& one : open_) visit(one.interval(until), one.is_noted);
        open_.clear();
    }
    [[nodiscard]] std::vector<Open>& open() { return open_; }
    [[nodiscard]] std::uint64_t at() const { return row_; }

    // Goes on at that row of the same lane in another session; spans that are not found there are lossy.
    void move_to(const store::Lane& lane, std::uint64_t row);

private:
    struct Loss {
        std::uint64_t row;
        std::uint64_t until_tick;
        std::uint32_t thread;
    };
    template <typename Visit>
    static bool has_ended(const Open& one, const store::Span& span, std::uint64_t end, Visit& visit) {
        if (span.state == store::SpanState::kOpen || span.end_index >= end) return false;
        const bool is_lossy = one.is_lossy || span.state == store::SpanState::kCut;
        visit(Interval{span.begin_tick, span.end_tick, true, is_lossy ? IntervalState::kLossy : IntervalState::kWhole},
              one.is_noted);
        return true;
    }
    // Of its thread, or of nobody knows whom.
    [[nodiscard]] bool begins_in_loss(const store::Span& span) const {
        return std::any_of(losses_.begin(), losses_.end(), [&](const Loss& loss) {
            return loss.row < span.begin_index && loss.until_tick > span.begin_tick &&
                   (loss.thread == 0 || loss.thread == span.thread);
        });
    }
    void note_losses(std::uint64_t end);
    void forget_losses();

    const store::Lane* lane_;
    std::uint64_t row_;         // the first that was not walked over
    std::uint64_t id_;          // and the first span that begins there or later
    std::vector<Open> open_;    // in order of begin
    std::vector<Loss> losses_;  // that may last into what comes
};

// From each start of A to the first start of B at or after it. One of both may be missing at first: what is walked over then
// counts for every lane that comes.
class GrowingPairWalk {
public:
    // From that row of the lane on.
    static GrowingPairWalk of_begins(const store::Lane& lane, std::uint64_t row) {
        return GrowingPairWalk(PairMerge(at_row(lane, row), {}, false));
    }
    static GrowingPairWalk of_ends(const store::Lane& lane, std::uint64_t row) {
        return GrowingPairWalk(PairMerge({}, at_row(lane, row), false));
    }
    static GrowingPairWalk of_one(const store::Lane& lane, std::uint64_t row) {
        return GrowingPairWalk(PairMerge(at_row(lane, row), at_row(lane, row), true));
    }
    // What has begun on one, and the ends of the other from here on.
    static GrowingPairWalk joined(const GrowingPairWalk& of_begins, const GrowingPairWalk& of_ends) {
        GrowingPairWalk both = of_begins;
        both.merge_.set_ends(of_ends.merge_.ends());
        return both;
    }

    // To those rows of A and B; 0 of one that is not there.
    template <typename Visit>
    void go_on(std::uint64_t end_of_begins, std::uint64_t end_of_ends, Visit visit) {
        merge_.begins().extend(end_of_begins);
        merge_.ends().extend(end_of_ends);
        merge_.go_on(store::kNever, visit);
    }
    // No end will come: it has waited until that tick at least. What comes next begins anew.
    template <typename Visit>
    void give_up(std::uint64_t until, Visit visit) {
        if (!merge_.is_one_lane()) merge_.give_up(until, visit);
        merge_.forget();
    }
    // A start of A that waits; of one lane with itself none ever does.
    [[nodiscard]] const PairMerge::Pending* waiting() const {
        return merge_.pending().open && !merge_.is_one_lane() ? &merge_.pending() : nullptr;
    }
    [[nodiscard]] const StartsWalk& ends() const { return merge_.ends(); }

    void move_begins(const store::Lane& lane, std::uint64_t row) { merge_.begins().move_to(lane, row); }
    void move_ends(const store::Lane& lane, std::uint64_t row) { merge_.ends().move_to(lane, row); }

private:
    explicit GrowingPairWalk(PairMerge merge) : merge_(std::move(merge)) {}
    // Knows what came before, and has walked over nothing.
    static StartsWalk at_row(const store::Lane& lane, std::uint64_t row) {
        Selection nothing;
        nothing.from = nothing.until = tick_from(lane, row);
        StartsWalk starts(lane, nothing);
        starts.move_to(lane, row);
        return starts;
    }

    PairMerge merge_;
};

}  // namespace sla::analysis
