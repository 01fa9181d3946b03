// Which sources of events this machine and user can have: looked at, not used. For `sla doctor`.
#pragma once

#include "agent/linux/perf/perf_event.h"

#include <string>
#include <vector>

namespace sla::linux {

struct SourceReport {
    std::string name;
    Access access = Access::kNotPresent;
    std::string detail;
    std::string fix;  // the command or capability that gives it; empty: nothing to do, or nothing helps
};

std::vector<SourceReport> probe_sources();

}  // namespace sla::linux
