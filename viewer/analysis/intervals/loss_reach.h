// LossReach: up to where the losses of a lane reach that a walk along its rows has come by. Events may be missing behind
// every row up to there, not only around the loss row itself.
//
//   rows      e   G   e   e        e       a loss that says until when: what comes there or later is behind it
//   missing       ├──────────┤
//   rows      e   G   e'  e        e       one that does not: until its thread is heard of again (of thread 0: anyone),
//   missing       ├───────┤                for at most kMostRows rows
//
// Private to the room. Value type; a comparison a row.
#pragma once

#include "viewer/store/lane.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace sla::analysis {

class LossReach {
public:
    static constexpr std::uint64_t kMostRows = 65'536;

    LossReach() = default;
    // Of the losses before that row, for who asks about ticks from `from` on.
    LossReach(const store::Lane& lane, std::uint64_t row, std::uint64_t from);

    // A loss row.
    void add(const store::Lane& lane, std::uint64_t row, std::uint32_t thread);
    // Any row.
    void pass(std::uint64_t row, std::uint64_t tick, std::uint32_t thread) {
        if (!open_.empty()) settle(row, tick, thread);
    }
    // Events behind that tick may be missing.
    [[nodiscard]] bool lasts_behind(std::uint64_t tick) const { return tick < until_ || !open_.empty(); }
    // Of one at least it is not known when it ends; all others are over there.
    [[nodiscard]] bool is_open() const { return !open_.empty(); }
    [[nodiscard]] std::uint64_t until() const { return until_; }
    // Of those before that row, all of which say until when.
    static LossReach of_ended(const store::Lane& lane, std::uint64_t row, std::uint64_t from);

private:
    struct Open {
        std::uint32_t thread;
        std::uint64_t last_row;
    };
    void settle(std::uint64_t row, std::uint64_t tick, std::uint32_t thread);

    std::uint64_t until_ = 0;
    std::vector<Open> open_;  // no end is known
};

// Positions in lane.gaps() of the loss rows among [first, end).
std::pair<std::size_t, std::size_t> gaps_among(const store::Lane& lane, std::uint64_t first, std::uint64_t end);
// Lost by the loss rows among [first, end), without what was only not kept.
std::uint64_t lost_among(const store::Lane& lane, std::uint64_t first, std::uint64_t end);
// The latest end that losses before that row say, when it is behind the tick; else 0.
std::uint64_t losses_end(const store::Lane& lane, std::uint64_t row, std::uint64_t tick);
// The level of a lane before that row, by the row that set it: not known behind a loss row, nor where losses that were not over
// when it came may have changed it since, nor where rows before the lane's first ones are not here; nothing: no row before said any. Looks at most kMostRows rows back; where all of them
// say none, the page's sums do, which do not know how long losses lasted.
std::optional<store::Level> level_before(const store::Lane& lane, std::uint64_t row);
// Until when that loss may have lasted.
std::uint64_t end_of_loss(const store::Lane& lane, const store::Gap& gap);
// The first loss, as a position in lane.gaps(), that may last behind that tick; visit(const Gap&) for each in the range, and for
// each of before that lasts into it.
std::size_t first_loss(const store::Lane& lane, std::uint64_t from);
template <typename Visit>
void each_loss_in(const store::Lane& lane, std::uint64_t from, std::uint64_t until, Visit visit) {
    const auto& gaps = lane.gaps();
    for (std::size_t i = first_loss(lane, from); i < gaps.size() && gaps[i].tick < until; ++i) {
        const store::Gap& gap = gaps[i];
        if (gap.tick >= from || (gap.has_end() ? gap.until_tick > from : end_of_loss(lane, gap) >= from)) visit(gap);
    }
}
// Events that lie in a loss, not only beside its row: the page's sums do not know of them. `first_event`: of the page.
bool may_reach_over_rows(const store::Lane& lane, const store::Page& page, std::uint64_t first_event);
// A loss in the page does not say how long it lasted.
bool has_endless_loss(const store::Lane& lane, const store::Page& page);

}  // namespace sla::analysis
