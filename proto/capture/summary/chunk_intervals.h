// The sums over the intervals of a chunk's channels, as other rooms see them, and as columns of a summary.
#pragma once

#include "proto/base/strong_id.h"
#include "proto/capture/summary/interval_sums.h"

#include <string_view>
#include <vector>

namespace sla::capture {

class Intervals;  // the message

// Of one channel's rows in one chunk.
struct LaneIntervals {
    ChannelId channel;
    IntervalSums sums;
};

// Rising by channel; those of which nothing is known are left out.
using ChunkIntervals = std::vector<LaneIntervals>;

void encode_intervals(const ChunkIntervals& lanes, Intervals& out);
// Of a message from outside: false when it says what cannot be. What `out` holds of memory is used again.
bool decode_intervals(const Intervals& in, ChunkIntervals& out);
// Those of a chunk's summary, the rest of which is skipped; false also when it has none (files of earlier writers).
bool read_intervals(std::string_view summary, std::uint64_t sequence, ChunkIntervals& out);

}  // namespace sla::capture
