#include "proto/capture/summary/lane_summary.h"

#include "proto/base/how_many.h"

#include <algorithm>

namespace sla::capture {

void LaneSummary::absorb(const LaneSummary& next) {
    if (next.rows == 0) return;
    if (rows == 0) {
        *this = next;
        return;
    }
    const std::uint64_t between = next.first_tick > last_tick ? next.first_tick - last_tick : 0;
    longest_pause = std::max({longest_pause, next.longest_pause, between});
    high_ticks += next.high_ticks + (level_after == Level::kHigh ? between : 0);
    busy_ticks += next.busy_ticks + (depth_after > 0 ? between : 0);
    if (next.has_value) {
        min = has_value ? std::min(min, next.min) : next.min;
        max = has_value ? std::max(max, next.max) : next.max;
        has_value = true;
    }
    has_number = has_number || next.has_number;
    has_text = has_text || next.has_text;
    begins += next.begins;
    loose_ends += next.loose_ends;
    span_rows = std::max(span_rows, next.span_rows);
    rows += next.rows;
    gap_rows += next.gap_rows;
    add_up(lost, next.lost);
    last_tick = std::max(last_tick, next.last_tick);
    depth_after = next.depth_after;
    deepest = std::max(deepest, next.deepest);
    kinds |= next.kinds;
    level_after = next.level_after;
    opaque = opaque || next.opaque;
}

}  // namespace sla::capture
