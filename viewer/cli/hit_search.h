// The trigger language over a stored session: every place where it would have fired.
#pragma once

#include "proto/trigger/ast.h"
#include "proto/trigger/engine.h"
#include "viewer/store/session.h"

#include <string>
#include <vector>

namespace sla::cli {

struct FoundHit {
    std::uint64_t tick = 0;
    bool certain = true;
    std::string what;  // the stage or level that made it
};

// In order. All lanes of the session, up to its watermark or end. Memory: some 64 Ki events of each channel that the trigger
// looks at, beside the hits.
std::vector<FoundHit> find_hits(const store::Session& session, const trigger::Trigger& trigger);

}  // namespace sla::cli
