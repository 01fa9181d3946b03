// The address of what a fleet recorded: fleet:nats://SERVER[,SERVER...]/FLEET[/HOST[/CAPTURE]].
#pragma once

#include "proto/base/result.h"
#include "proto/fleet/servers.h"

#include <string>
#include <string_view>

namespace sla::fleet {

struct FleetAddress {
    Servers servers;
    std::string fleet;
    std::string host;     // empty: the only one
    std::string capture;  // empty: the host's newest

    // Without user and password.
    [[nodiscard]] std::string text() const;
};

// "fleet:...".
bool is_fleet_address(std::string_view text);
Result<FleetAddress> parse_fleet_address(std::string_view text);

}  // namespace sla::fleet
