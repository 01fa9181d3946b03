// An index chunk's summaries by channel (version 3 of Index) and by chunk (version 2): by channel they are read in a third of the
// time, by chunk they are smaller where a channel has rows in few chunks of many.
#pragma once

#include "proto/capture/summary.pb.h"
#include "proto/capture/summary/chunk_summary.h"
#include "proto/capture/summary/summary_columns.h"

#include <cstdint>
#include <vector>

namespace sla::capture {

// A channel's summary in one of the index's chunks.
struct IndexRow {
    std::uint32_t chunk = 0;
    LaneSummary sum;
};
// Says which version it is, and puts these rows, chunk by chunk and rising by channel in each, where that has them: version 3 where
// that pays. Its chunks have none yet.
void put_lanes(const std::vector<IndexRow>& rows, Index& index);
// One that this program reads.
bool is_known_version(const Index& index);

// A channel's part of an index chunk.
struct LaneBlock {
    SummaryColumns summaries;
    std::vector<std::uint32_t> chunks;  // of the index, rising
};
// Of a message from outside, in an index of so many chunks: false when its columns do not fit together.
bool decode_lane(const LaneRows& in, std::uint32_t chunks, LaneBlock& out);
// All of it chunk by chunk, whatever its version: false likewise.
bool decode_index(const Index& in, std::vector<ChunkDetail>& out);

}  // namespace sla::capture
