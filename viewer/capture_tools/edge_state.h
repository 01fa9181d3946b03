// What holds at a moment on each channel: the newest level, value or text before it, the spans open across it, and the losses
// that last beyond it (one that does not say until when: until a row of its thread), as the very rows that say so.
#pragma once

#include "proto/capture/capture_index.h"
#include "proto/capture/chunk_reader.h"
#include "proto/wire/event.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <vector>

namespace sla::capture_tools {

// Of those channels where anything holds, a batch each. Reads each chunk once at most, from the moment on back, and those alone that may
// say something. Rows stand in order of time, before `tick`; what damage took is not among them. `go_on` is asked now and then; false:
// nothing is returned.
std::optional<std::vector<wire::EventBatch>> states_before(std::uint64_t tick, const capture::CaptureIndex& index,
                                                           const std::set<ChannelId>& channels, capture::ChunkReader& chunks,
                                                           const std::function<bool()>& go_on);

// Of a source that began long after its agent did, which the numbers of its rows say: its first tick. 0: it did not.
std::uint64_t late_begin(const capture::CaptureIndex& index);

}  // namespace sla::capture_tools
