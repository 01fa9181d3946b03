// An agent as a source: connects, comes back by itself, keeps within its memory, and fetches older history when it is wanted.
//
//   joined    what is held ┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄├── the last 30 s ──┼── what comes ──►
//   wanted          ├─────────────── longer: a second connection ──────────────►   until it has come as far as the first
//
// The second is a source of its own, so that rows never change their places in a session: it takes the first one's place.
#pragma once

#include "viewer/workspace/source/data_source.h"

#include <memory>

namespace sla::workspace {

std::unique_ptr<DataSource> make_live_source(const wire::Address& address, const SourceMemory& memory);

}  // namespace sla::workspace
