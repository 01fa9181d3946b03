// How far a capture that goes on is complete.
#pragma once

#include "proto/capture/chunk_reader.h"

#include <cstdint>
#include <span>

namespace sla::capture {

// Nothing at or below this tick comes behind these chunks: the newest watermark in them; 0: none is there, or it cannot be read.
// Reads the last chunk, of which an agent writes none without one; some more where there is none.
std::uint64_t newest_watermark(ChunkReader& reader, std::span<const ChunkPlace> chunks);

}  // namespace sla::capture
