// Makes the streams and buckets that a fleet stands on.
#pragma once

#include "proto/base/result.h"
#include "proto/fleet/connection.h"
#include "proto/fleet/registry.h"

#include <functional>
#include <string>

namespace sla::fleet {

// Makes what is missing and brings the rest up to these settings; `said` receives what was done, line by line.
Result<void> set_up(const Connection& connection, const std::string& fleet, const FleetSettings& settings,
                    const std::function<void(const std::string&)>& said);

}  // namespace sla::fleet
