#include "viewer/analysis/limits/last_event.h"

#include "viewer/analysis/intervals/loss_reach.h"
#include "viewer/store/unreadable_pages.h"

#include <algorithm>
#include <optional>

namespace sla::analysis {

void take_first_gap(const ChannelWalk& walk, IntervalCheck& check) {
    if (walk.lossy_begin()) check.take_possible(*walk.lossy_begin());
}

void take_last_gap(const LastEvent& last, std::uint64_t from, const SilentUntil& until, IntervalCheck& check) {
    const std::uint64_t end = until.sure;
    if (last.is_there && last.tick >= from) {
        const bool may_last = last.is_lossy || until.maybe > std::max(end, last.tick);
        if (!last.is_lossy && end > last.tick) check.take({last.tick, end, true, IntervalState::kUnfinished});
        if (may_last) check.take_possible({last.tick, std::max(until.maybe, last.tick), false, IntervalState::kLossy});
    }
    if (last.is_lossy && last.are_ends_known && last.lost_until >= from && last.lost_until < end)
        check.take({last.lost_until, end, true, IntervalState::kUnfinished});
}

void note_last_gap(const LastEvent& last, std::uint64_t from, std::uint64_t end, const time::ClockMap& clock,
                   const Limit& limit, Finding& finding) {
    if (finding.verdict != Verdict::kPass || !last.is_there || last.is_lossy || last.tick < from || end <= last.tick) return;
    const Interval silence{last.tick, end, true, IntervalState::kUnfinished};
    if (verdict_of(silence, measured(clock, silence), limit) != Verdict::kFail) return;
    finding.why = "the silence at the end is not over and not among them";
}

LastEvent last_event_of(const store::Lane& lane, const Selection& range) {
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
    const LossReach losses(lane, behind, event.tick);
    event.lost_until = std::max(losses.until(), lost_until);
    event.is_lossy = last < behind || event.lost_until > event.tick || losses.is_open();
    event.are_ends_known = !losses.is_open();
    return event;
}

}  // namespace sla::analysis
