// What `sla top` looks at when it is given a fleet's address.
#pragma once

#include "viewer/cli/text/top_watch.h"

#include <memory>

namespace sla::cli {

// Opens it, which waits for the servers.
Result<std::unique_ptr<TopWatch>> watch_fleet_channels(const std::string& address);

}  // namespace sla::cli
