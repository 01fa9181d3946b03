// What exports call things.
#pragma once

#include "viewer/store/session.h"

#include <cstdint>
#include <string>

namespace sla::exporting {

// "name/tid", or what there is of it.
std::string thread_text(const store::Session& session, std::uint32_t id);
// The name of the lane's source; empty when it was never announced.
std::string source_text(const store::Session& session, const store::Lane& lane);

}  // namespace sla::exporting
