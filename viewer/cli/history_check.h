// Whether the agent has the room to keep what it was asked to keep.
#pragma once

#include "proto/wire/address.h"
#include "viewer/cli/host_checks.h"

#include <optional>

namespace sla::cli {

// Nothing when no agent answers there.
std::optional<Check> history_check(const wire::Address& agent);

}  // namespace sla::cli
