// The time from a lane's last event to the end of what is known, which limits on gaps look at too. Private to the room.
#pragma once

#include "viewer/analysis/limits/interval_check.h"
#include "viewer/analysis/selection.h"

#include <cstdint>

namespace sla::analysis {

// The last event of a lane, and the loss rows behind it.
struct LastEvent {
    bool is_there = false;
    std::uint64_t tick = 0;
    bool is_lossy = false;         // some may have come behind it
    std::uint64_t lost_until = 0;  // but none behind this, when `are_ends_known`
    bool are_ends_known = true;
};
// Of the loss rows among [first, last): all say until when.
bool are_ends_known(const store::Lane& lane, std::uint64_t first, std::uint64_t last);
// From there to the end of what is known, for limits on gaps; where losses end it, only behind them nothing came for sure.
void take_last_gap(const LastEvent& last, std::uint64_t from, std::uint64_t end, IntervalCheck& check);
// The same of the lane's last event in the range.
void take_last_gap(const store::Lane& lane, const Selection& range, std::uint64_t end, IntervalCheck& check);

}  // namespace sla::analysis
