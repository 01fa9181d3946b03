#include "viewer/ui/tables/gap_list.h"

#include "viewer/timeline/readable.h"
#include "viewer/ui/commands/navigation.h"
#include "viewer/ui/widgets/visible_lanes.h"

#include <algorithm>

namespace sla::ui {

namespace {

constexpr std::size_t kMaxGaps = 10'000;  // of each lane the newest; the lanes and the table show all

constexpr std::array<GridColumn, 6> kGapColumns{{
    {"gap", 52, 0, true, "In order of time"},
    {"from", 136, 0, true, "The earliest that a missing event can have been, since t = 0"},
    {"length", 92, 0, true, "They are missing within this interval; unknown: somewhere up to the next event of the lane"},
    {"events", 84, 0, true, "Exactly so many are missing; unknown: something was missed, nobody counted it"},
    {"channel", 120, 1.0F, false, "Where"},
    {"cause", 80, 1.0F, false,
     "overrun: the program was faster than the agent; late, torn: see the channel's ledger; lagged: this window was too "
     "slow;\n"
     "not kept: from before this window came, and the agent's memory had given it up; no agent: none ran"},
}};

// What was left out on purpose is no loss, and its number was not taken.
GridCell count_cell(const Theme& theme, const store::Gap& gap) {
    const bool is_left_out = gap.lost == 0 && !gap.is_uncounted();
    if (is_left_out) return {"not counted", theme.dim};
    return {gap.is_uncounted() ? "unknown" : timeline::grouped(gap.lost), gap.is_not_kept() ? theme.dim : theme.loss};
}

}  // namespace

void GapList::refresh(const store::Session& session) {
    const std::size_t count = session.changes().totals().gaps;
    if (count == known_) return;
    known_ = count;
    newest_.clear();
    for (const store::Lane* lane : session.lanes()) {
        const auto& gaps = lane->gaps();
        for (std::size_t i = gaps.size() - std::min(gaps.size(), kMaxGaps); i < gaps.size(); ++i)
            newest_.push_back({lane, &gaps[i]});
    }
    std::sort(newest_.begin(), newest_.end(), [](const Item& a, const Item& b) { return a.gap->tick < b.gap->tick; });
    if (newest_.size() > kMaxGaps) newest_.erase(newest_.begin(), newest_.end() - static_cast<std::ptrdiff_t>(kMaxGaps));
}

void GapList::draw(Context& context, const Rect& place) {
    refresh(context.session);
    if (newest_.empty()) {
        const bool is_whole = context.session.damage_count() == 0;
        draw_hint_text(context, place,
                       is_whole ? "Nothing was lost." : "No losses are known but those that the messages tell of.");
        return;
    }
    const auto fill_cells = [&](std::size_t row, std::vector<GridCell>& cells) {
        const store::Gap& gap = *newest_[row].gap;
        cells.push_back({timeline::grouped(row + 1), context.theme.dim});
        cells.push_back({timeline::readable_time(context.time_ps(gap.tick), 1'000)});
        if (gap.has_end()) {
            const auto length = static_cast<std::int64_t>(gap.until_tick - gap.tick);
            cells.push_back({timeline::readable_delta(context.session.clock().ticks_to_ps(length))});
        } else {
            cells.push_back({"unknown", context.theme.dim});
        }
        cells.push_back(count_cell(context.theme, gap));
        cells.push_back({lane_label(context, *newest_[row].lane)});
        cells.push_back({wire::loss_cause_name(gap.cause), context.theme.dim});
    };
    const auto row = grid_.draw(context, "gaps", place, kGapColumns, newest_.size(), fill_cells);
    if (row) go_to_event(context, *newest_[*row].lane, newest_[*row].gap->index);
}

}  // namespace sla::ui
