// A spool's folder: made, and held by one agent.
#pragma once

#include "proto/base/result.h"

#include <string>

namespace sla::publish {

// With all above it, for this user alone.
Result<void> make_spool_folder(const std::string& path);
// The descriptor that holds it; another agent that has it is named.
Result<int> lock_spool_folder(const std::string& folder);
// That descriptor holds what stands there now: the folder was not removed and made again.
bool is_lock_of_spool(const std::string& folder, int lock);

}  // namespace sla::publish
