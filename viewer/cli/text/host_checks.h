// What `sla doctor` looks at. Each check only looks; none changes anything but for a memfd and a temporary file it makes and
// drops. The sources of events are looked at by `sla-agent --sources`.
#pragma once

#include "proto/wire/address.h"

#include <optional>
#include <string>
#include <vector>

namespace sla::cli {

enum class CheckState {
    kAvailable,
    kNoPermission,
    kNotPresent,
};
const char* check_state_name(CheckState state);

struct Check {
    std::string name;
    CheckState state = CheckState::kAvailable;
    std::string detail;
    std::string fix;         // empty: nothing to do
    bool essential = false;  // without it SLA does not work here
};

std::vector<Check> check_host(const wire::Address& agent);

// Whether the agent has the space to keep what it was asked to keep.
// Nothing when no agent answers there.
std::optional<Check> history_check(const wire::Address& agent);

}  // namespace sla::cli
