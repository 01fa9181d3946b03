// The time from a lane's last event to the end of what is known, which limits on gaps look at too. Private to the room.
#pragma once

#include "viewer/analysis/intervals/interval_walks.h"
#include "viewer/analysis/limits/interval_check.h"
#include "viewer/analysis/selection.h"

#include <cstdint>

namespace sla::analysis {

// The last event of a lane, and the losses behind it.
struct LastEvent {
    bool is_there = false;
    std::uint64_t tick = 0;
    bool is_lossy = false;         // some may have come behind it
    std::uint64_t lost_until = 0;  // but none behind this, when `are_ends_known`
    bool are_ends_known = true;
};
// Before the first event, where losses reach that may have had others, for limits on gaps.
void take_first_gap(const ChannelWalk& walk, IntervalCheck& check);
// In the range.
LastEvent last_event_of(const store::Lane& lane, const Selection& range);
// Until when it was silent for sure, and until when it may have been.
struct SilentUntil {
    std::uint64_t sure = 0;
    std::uint64_t maybe = 0;
};
// From there to the end of what is known, for limits on gaps; where losses end it, only behind them nothing came for sure.
void take_last_gap(const LastEvent& last, std::uint64_t from, const SilentUntil& until, IntervalCheck& check);
// Means and percentiles are those of what has ended, as in statistics: says so where that silence has lasted longer than they may.
void note_last_gap(const LastEvent& last, std::uint64_t from, std::uint64_t end, const time::ClockMap& clock,
                   const Limit& limit, Finding& finding);

}  // namespace sla::analysis
