#include "viewer/fleet/fleet_address.h"

#include "proto/fleet/names.h"

#include <fmt/format.h>

#include <array>

namespace sla::fleet {
namespace {

constexpr std::string_view kFamily = "fleet:";

Error bad_address(std::string_view text, std::string_view why) {
    return invalid_input(fmt::format(
        "'{}' is no address of a fleet: {}; write fleet:nats://SERVER[,SERVER...]/FLEET[/HOST[/CAPTURE]]", text, why));
}

}  // namespace

std::string FleetAddress::text() const {
    std::string out = fmt::format("{}{}/{}", kFamily, servers.text(), fleet);
    if (!host.empty()) out += "/" + host;
    if (!capture.empty()) out += "/" + capture;
    return out;
}

bool is_fleet_address(std::string_view text) {
    return text.starts_with(kFamily);
}

Result<FleetAddress> parse_fleet_address(std::string_view text) {
    if (!is_fleet_address(text)) return bad_address(text, "it does not begin with fleet:");
    const std::string_view rest = text.substr(kFamily.size());
    const std::size_t scheme = rest.find("://");
    if (scheme == std::string_view::npos) return bad_address(text, "it names no servers");
    const std::size_t slash = std::min(rest.find('/', scheme + 3), rest.size());
    Result<Servers> servers = parse_servers(rest.substr(0, slash));
    if (!servers) return servers.error();
    FleetAddress address{std::move(*servers), {}, {}, {}};
    std::size_t at = slash;
    for (std::string* const word : std::array{&address.fleet, &address.host, &address.capture}) {
        if (at >= rest.size()) break;
        const std::size_t end = std::min(rest.find('/', at + 1), rest.size());
        *word = rest.substr(at + 1, end - at - 1);
        at = end;
        if (!is_token(*word)) return bad_address(text, fmt::format("'{}' is no name in a fleet", *word));
    }
    if (at < rest.size()) return bad_address(text, "there is something behind the capture");
    if (address.fleet.empty()) return bad_address(text, "it does not say which fleet");
    return address;
}

}  // namespace sla::fleet
