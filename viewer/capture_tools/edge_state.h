// What holds at a moment on one channel: the newest level, value or text before it, the spans open across it, and the losses
// that last beyond it, as the very rows that say so.
#pragma once

#include "proto/capture/capture_index.h"
#include "proto/capture/chunk_reader.h"
#include "proto/wire/event.h"

#include <cstdint>

namespace sla::capture_tools {

// Reads a few chunks at most, however long ago the state began. Rows stand in order of time, before `tick`; what damage took
// is not among them.
wire::EventBatch state_before(std::uint64_t tick, const capture::CaptureIndex& index,
                              const capture::CaptureIndex::Lane& lane, capture::ChunkReader& chunks);

// Of a source that began long after its agent did, which the numbers of its rows say: its first tick. 0: it did not.
std::uint64_t late_begin(const capture::CaptureIndex& index);

}  // namespace sla::capture_tools
