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

// Intervals inside `range`, by tick, in which no lane has an event, a loss or a span under way (but for spans that are
// under way in all of the range, and those without an end), with a little space kept on both sides. Only those that are
// at least a twentieth of the range. Of a file no pages are read but those as long as that which hold spans: some
// twenty a lane. Exact to 1/4096 of the range, never too wide. O(lanes * 4096 * log events) at the very most; lanes
// that are busy all the time make it short.
std::vector<TickRange> idle_intervals(std::span<const DrawnLane> lanes, TickRange range);

}  // namespace sla::timeline
