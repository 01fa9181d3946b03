#include "viewer/analysis/limits/last_event.h"

#include "viewer/analysis/intervals/loss_reach.h"
#include "viewer/store/unreadable_pages.h"

#include <algorithm>
#include <optional>

namespace sla::analysis {

bool are_ends_known(const store::Lane& lane, std::uint64_t first, std::uint64_t last) {
    const auto [from, until] = gaps_among(lane, first, last);
    return std::all_of(lane.gaps().begin() + static_cast<std::ptrdiff_t>(from),
                       lane.gaps().begin() + static_cast<std::ptrdiff_t>(until),
                       [](const store::Gap& gap) { return gap.has_end(); });
}

void take_last_gap(const LastEvent& last, std::uint64_t from, std::uint64_t end, IntervalCheck& check) {
    const IntervalState state = last.is_lossy ? IntervalState::kLossy : IntervalState::kUnfinished;
    if (last.is_there && last.tick >= from && end > last.tick) check.take({last.tick, end, true, state});
    if (last.is_lossy && last.are_ends_known && last.lost_until >= from && last.lost_until < end)
        check.take({last.lost_until, end, true, IntervalState::kUnfinished});
}

void take_last_gap(const store::Lane& lane, const Selection& range, std::uint64_t end, IntervalCheck& check) {
    const std::uint64_t behind = range.until == store::kNever ? lane.size() : lane.lower_bound(range.until);
    std::uint64_t last = behind;
    std::uint64_t lost_until = 0;
    while (last > 0) {
        const std::optional<store::Page> page = store::unreadable_page_with(lane, last - 1);
        if (!page && lane.gap_at(last - 1) == nullptr) break;
        last = page ? page->first : last - 1;
        if (page) lost_until = std::max(lost_until, page->last_tick);
    }
    LastEvent event;
    event.is_there = last > 0;
    event.tick = last > 0 ? lane.tick(last - 1) : 0;
    event.lost_until = std::max(losses_end(lane, behind, event.tick), lost_until);
    event.is_lossy = last < behind || event.lost_until > event.tick;
    event.are_ends_known = are_ends_known(lane, last, behind);
    take_last_gap(event, range.from, end, check);
}

}  // namespace sla::analysis
