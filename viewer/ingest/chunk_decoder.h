// The rows of one chunk of a paged capture as runs of its lanes. Private to the room.
#pragma once

#include "proto/base/result.h"
#include "proto/capture/chunk_reader.h"
#include "viewer/ingest/paged_capture.h"

#include <memory>
#include <string>
#include <vector>

namespace sla::ingest {

struct DecodedChunk {
    std::vector<std::shared_ptr<const store::Run>> runs;  // one for each of the chunk's parts, of the promised length
    std::size_t bytes = 0;
    std::vector<std::string> damage;  // for people; the rows that could not be read are loss rows of one event each
};

// Trusts nothing: whatever the bytes say, every run has the rows its page promises.
DecodedChunk decode_chunk(const PagedCapture& capture, std::size_t chunk, capture::ChunkReader* reader);

}  // namespace sla::ingest
