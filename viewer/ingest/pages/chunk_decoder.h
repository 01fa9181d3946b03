// The rows of one chunk as runs of its lanes. Private to the room.
#pragma once

#include "proto/capture/chunk_reader.h"
#include "viewer/ingest/pages/chunk_ledger.h"
#include "viewer/store/rows/run.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace sla::ingest {

// Of one part.
struct UnreadableRows {
    ChannelId channel;
    std::uint64_t events = 0;
    std::uint64_t tick = 0;  // of the first
    std::string why;
};
// "10050 events cannot be read: ..."
std::string in_words(std::uint64_t events, const std::string& why);
// All of a chunk.
std::vector<UnreadableRows> unreadable_parts(const ChunkLedger& ledger, std::size_t chunk, const std::string& why);

struct DecodedChunk {
    // One for each of the chunk's parts that were asked for, of the promised length.
    std::vector<std::pair<ChannelId, std::shared_ptr<const store::Run>>> runs;
    std::size_t bytes = 0;
    std::vector<UnreadableRows> damage;  // their rows are loss rows: of one for each event
};

// Trusts nothing: whatever the bytes say, every run has the rows its page promises. `only`: the channels to decode, rising;
// empty: all.
DecodedChunk decode_chunk(const ChunkLedger& ledger, std::size_t chunk, capture::ChunkReader* reader,
                          const std::vector<ChannelId>& only = {});

// The same of a chunk that the reader has loaded, or could not.
DecodedChunk decode_loaded(const ChunkLedger& ledger, std::size_t chunk, const Result<void>& loaded,
                           capture::ChunkReader* reader, const std::vector<ChannelId>& only);
// Null: the chunks could not be opened.
Result<void> load_chunk(const ChunkLedger& ledger, std::size_t chunk, capture::ChunkReader* reader);

// The same rows as they come, without what makes runs of them. False: some are not what their page promises.
bool scan_chunk(const ChunkLedger& ledger, std::size_t chunk, capture::ChunkReader& reader,
                const std::vector<ChannelId>& only, const store::PageSource::VisitRows& visit);

}  // namespace sla::ingest
