// The address of what a fleet recorded, in either spelling:
//
//   fleet:nats://SERVER[,SERVER...]/FLEET[/HOST[/CAPTURE]]
//   fleet:nats://SERVER[,SERVER...]/FLEET[?host=HOST][&capture=CAPTURE]
//
// HOST is a name, a pattern (web-*) or several of those with commas between; none: all. CAPTURE is a name or a pattern.
#pragma once

#include "proto/base/result.h"
#include "proto/fleet/registry.h"
#include "proto/fleet/servers.h"

#include <string>
#include <string_view>
#include <vector>

namespace sla::fleet {

struct FleetAddress {
    Servers servers;
    std::string fleet;
    std::vector<std::string> hosts;  // names or patterns; empty: all
    std::string capture;             // name or pattern; empty: each host's newest

    // In the first spelling; without user and password.
    [[nodiscard]] std::string text() const;
    [[nodiscard]] bool wants_host(std::string_view host) const;
    [[nodiscard]] bool wants_capture(std::string_view name) const;
    // The first of its hosts, patterns aside, of which there is no run: a slip would be a smaller fleet. Empty: there is none.
    [[nodiscard]] std::string absent_host(const std::vector<RunEntry>& runs) const;
};

inline constexpr std::size_t kMaxHostPatterns = 1000;

// "fleet:...".
bool is_fleet_address(std::string_view text);
Result<FleetAddress> parse_fleet_address(std::string_view text);
// An address as it may be shown, and written into files: of a fleet without user and password, all else as it is.
std::string shown_address(std::string_view text);

}  // namespace sla::fleet
