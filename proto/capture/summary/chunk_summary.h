// A chunk's summary as other rooms see it, and as the messages of summary.proto.
#pragma once

#include "proto/capture/summary/chunk_intervals.h"
#include "proto/capture/summary/lane_summary.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sla::capture {

class ChunkSummary;  // the message

// Where a chunk of frames is.
struct ChunkPlace {
    std::uint64_t sequence = 0;
    std::uint64_t offset = 0;
    std::uint32_t stored_bytes = 0;
    std::uint32_t frames = 0;
};

// What only the chunk's own summary says.
struct ChunkDetail {
    ChunkPlace place;
    std::vector<LaneSummary> lanes;    // rising by channel
    std::vector<LaneSummary> cells;    // channel by channel, in order of time; none of a channel that fits in one
    std::vector<OpenSpan> open;        // channel by channel, in order of begin
    std::vector<CrossedSpan> crossed;  // channel by channel, in order of end
    std::vector<GapRow> gaps;          // channel by channel, in order of index
    std::vector<std::string> lasting;  // serialized frames
    ChunkIntervals intervals;          // written; to read them, read_intervals() is the way
};

// What a chunk holds, as whoever published it accounts for it.
struct EventCount {
    std::uint64_t rows = 0;
    std::uint64_t events = 0;  // rows that are no gaps
    std::uint64_t missed = 0;  // events in gaps of causes "lagged" and "not kept": whoever wrote the chunk did not get them
    std::uint64_t first_tick = 0;  // of all rows
    std::uint64_t last_tick = 0;
};
EventCount count_events(const ChunkDetail& detail);

void encode_detail(const ChunkDetail& detail, ChunkSummary& out);
// Of it, what an index says of the chunk beside its lanes; and those.
void encode_entry(const ChunkDetail& detail, ChunkSummary& out);
void encode_lanes(const std::vector<LaneSummary>& lanes, ChunkSummary& out);
// Of a message from outside: false when its columns do not fit together.
bool decode_detail(const ChunkSummary& in, ChunkDetail& out);
// Of a serialized one what is counted and what lasts: its lanes, its losses and its frames. All else is passed by, and is most of it.
bool read_counts(std::string_view summary, ChunkDetail& out);
ChunkPlace place_of(const ChunkSummary& in);

}  // namespace sla::capture
