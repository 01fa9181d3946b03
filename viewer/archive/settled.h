// Up to where the rows of a capture that may still grow are final: what its last chunks say.
#pragma once

#include "proto/base/result.h"
#include "proto/capture/capture_index.h"
#include "proto/capture/capture_store.h"
#include "proto/fleet/registry.h"

#include <cstdint>
#include <vector>

namespace sla::archive {

struct Settled {
    std::uint64_t tick = 0;   // no row at or before it will come any more; 0: nothing is final
    bool ended = false;       // the capture says so itself: all is final
    bool is_damaged = false;  // something is missing that may still come
};

// Of a fleet's run: nothing more will be published. `runs`: all that the registry lists.
bool is_over(const fleet::RunEntry& run, const std::vector<fleet::RunEntry>& runs);

// The store, and its index.
Result<Settled> settled(const capture::CaptureStore& store, const capture::CaptureIndex& index);

}  // namespace sla::archive
