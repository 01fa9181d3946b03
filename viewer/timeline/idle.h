// Where nothing happens: what an axis break may take out.
#pragma once

#include "viewer/store/lane.h"
#include "viewer/timeline/tick_range.h"

#include <cstdint>
#include <span>
#include <vector>

namespace sla::timeline {

struct DrawnLane {
    const store::Lane* lane = nullptr;
    std::int64_t offset_ticks = 0;  // it is drawn so much later
};

// Stretches inside `range`, by tick, in which no lane has an event or a loss, as far as can be told without waiting for a
// file; with a little room kept on both sides. Only those that are at least a twentieth of the range.
// Exact to 1/4096 of the range, never too wide. O(lanes * 4096 * log events) at the very most; lanes that are busy all the
// time make it short.
std::vector<TickRange> idle_stretches(std::span<const DrawnLane> lanes, TickRange range);

}  // namespace sla::timeline
