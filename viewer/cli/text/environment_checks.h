// What of the environment means nothing to agents and marked programs that are started with it.
#pragma once

#include "viewer/cli/text/host_checks.h"

#include <vector>

namespace sla::cli {

// A check for each such variable; none: all of it is understood.
std::vector<Check> environment_checks();

}  // namespace sla::cli
