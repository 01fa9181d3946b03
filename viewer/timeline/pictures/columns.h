// The pixel columns of a lane that hold events, left to right: O(occupied columns * log n), whatever the number of events.
#pragma once

#include "viewer/store/lane.h"
#include "viewer/timeline/viewport.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace sla::timeline {

struct Column {
    int x = 0;                // pixels from the left edge
    std::uint64_t first = 0;  // the lane's events [first, last), never empty
    std::uint64_t last = 0;
    std::uint64_t from_tick = 0;  // ticks of the column [from, until)
    std::uint64_t until_tick = 0;
};

// visit(const Column&) for every column of `view` that rows from `from` on occupy.
template <typename Visit>
void visit_columns(const store::Lane& lane, const Viewport& view, Visit visit, std::uint64_t from = 0) {
    const int width = static_cast<int>(std::ceil(view.width()));
    int x = 0;
    std::uint64_t first = lane.lower_bound(view.first_tick_from(0.0), from);
    while (x < width && first < lane.size()) {
        x = std::max(x, static_cast<int>(std::min(std::floor(view.x_of(lane.tick(first))), 1.0e9)));
        if (x >= width) return;
        Column column;
        column.x = x;
        column.first = first;
        column.from_tick = view.first_tick_from(x);
        column.until_tick = view.first_tick_from(x + 1);
        column.last = lane.lower_bound(column.until_tick, first);
        if (column.last > first) visit(static_cast<const Column&>(column));
        first = column.last;
        ++x;
    }
}

}  // namespace sla::timeline
