// Time since the last event of the same lane with the same kind and value, or text: the period of one thing among others that share
// its channel.
#pragma once

#include "proto/time/clock_map.h"
#include "viewer/store/merged.h"

#include <cstdint>
#include <optional>

namespace sla::analysis {

struct SinceSame {
    std::int64_t ps = 0;
    bool longer = false;  // none so far back as was looked: it is longer than that
};

// Looks back over at most 2048 rows of the lane, and not into pages that would have to be waited for: some microseconds.
// Nothing when the lane begins before one is found, when events are missing before one is found, or for a loss row.
std::optional<SinceSame> since_same_event(const time::ClockMap& clock, const store::RowRef& place);

}  // namespace sla::analysis
