#include "viewer/fleet/fleet_address.h"

#include "proto/fleet/names.h"
#include "proto/wire/glob.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace sla::fleet {
namespace {

constexpr std::string_view kFamily = "fleet:";

Error bad_address(std::string_view text, std::string_view why) {
    return invalid_input(
        fmt::format("'{}' is no address of a fleet: {}; write fleet:nats://SERVER[,SERVER...]/FLEET[/HOST[/CAPTURE]], or "
                    "...FLEET?host=HOST&capture=CAPTURE",
                    text.substr(text.rfind('@') + 1), why));
}

// A word of a subject, in which * and ? stand for others.
bool is_pattern(std::string_view text) {
    std::string plain(text);
    std::ranges::replace_if(
        plain, [](char c) { return c == '*' || c == '?'; }, '-');
    return is_token(plain);
}

// Hands out what is before the next of these characters, and cuts it off with that character.
std::string_view take_until(std::string_view& rest, std::string_view ends) {
    const std::size_t end = std::min(rest.find_first_of(ends), rest.size());
    const std::string_view taken = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    return taken;
}

// What is wrong with it; empty: nothing.
std::string set_hosts(std::string_view list, FleetAddress& address) {
    while (true) {
        const bool goes_on = list.find(',') != std::string_view::npos;
        const std::string_view one = take_until(list, ",");
        if (!is_pattern(one)) return fmt::format("'{}' is no name of a host", one);
        if (address.hosts.size() == kMaxHostPatterns) return "these are too many hosts";
        address.hosts.emplace_back(one);
        if (!goes_on) return "";
    }
}

std::string set_capture(std::string_view name, FleetAddress& address) {
    if (!is_pattern(name)) return fmt::format("'{}' is no name of a capture", name);
    address.capture = name;
    return "";
}

// "/HOST[/CAPTURE]", behind its first slash.
std::string set_path(std::string_view path, FleetAddress& address) {
    const std::size_t slash = path.find('/');
    std::string wrong = set_hosts(path.substr(0, slash), address);
    if (slash == std::string_view::npos || !wrong.empty()) return wrong;
    return set_capture(path.substr(slash + 1), address);
}

// "host=H&capture=C", each once.
std::string set_query(std::string_view query, FleetAddress& address) {
    while (!query.empty()) {
        std::string_view value = take_until(query, "&");
        const std::string_view key = take_until(value, "=");
        std::string wrong;
        if (key == "host" && address.hosts.empty()) {
            wrong = set_hosts(value, address);
        } else if (key == "capture" && address.capture.empty()) {
            wrong = set_capture(value, address);
        } else {
            wrong = fmt::format("behind the ? stand host= and capture=, each once, not '{}'", key);
        }
        if (!wrong.empty()) return wrong;
    }
    return "";
}

bool fits(std::string_view pattern, std::string_view name) {
    return pattern == name || wire::glob_match(pattern, name);
}

}  // namespace

std::string FleetAddress::text() const {
    std::string out = fmt::format("{}{}/{}", kFamily, servers.text(), fleet);
    if (!hosts.empty() || !capture.empty()) out += "/" + (hosts.empty() ? "*" : fmt::format("{}", fmt::join(hosts, ",")));
    if (!capture.empty()) out += "/" + capture;
    return out;
}

bool FleetAddress::wants_host(std::string_view host) const {
    return hosts.empty() || std::ranges::any_of(hosts, [&](const std::string& one) { return fits(one, host); });
}

bool FleetAddress::wants_capture(std::string_view name) const {
    return capture.empty() || fits(capture, name);
}

std::string FleetAddress::absent_host(const std::vector<RunEntry>& runs) const {
    const auto is_absent = [&](const std::string& one) {
        return !wire::is_pattern(one) && std::ranges::none_of(runs, [&](const RunEntry& run) { return run.host == one; });
    };
    const auto absent = std::ranges::find_if(hosts, is_absent);
    return absent == hosts.end() ? "" : *absent;
}

bool is_fleet_address(std::string_view text) {
    return text.starts_with(kFamily);
}

Result<FleetAddress> parse_fleet_address(std::string_view text) {
    if (!is_fleet_address(text)) return bad_address(text, "it does not begin with fleet:");
    std::string_view rest = text.substr(kFamily.size());
    const std::size_t scheme = rest.find("://");
    if (scheme == std::string_view::npos) return bad_address(text, "it names no servers");
    const std::size_t slash = std::min(rest.find('/', scheme + 3), rest.size());
    Result<Servers> servers = parse_servers(rest.substr(0, slash));
    if (!servers) return servers.error();
    FleetAddress address{std::move(*servers), {}, {}, {}};
    rest.remove_prefix(std::min(slash + 1, rest.size()));
    const std::size_t end = std::min(rest.find_first_of("/?"), rest.size());
    address.fleet = rest.substr(0, end);
    if (address.fleet.empty()) return bad_address(text, "it does not say which fleet");
    if (!is_token(address.fleet)) return bad_address(text, fmt::format("'{}' is no name of a fleet", address.fleet));
    if (end == rest.size()) return address;
    const std::string_view more = rest.substr(end + 1);
    const std::string wrong = rest[end] == '/' ? set_path(more, address) : set_query(more, address);
    if (!wrong.empty()) return bad_address(text, wrong);
    return address;
}

std::string shown_address(std::string_view text) {
    const std::size_t end = text.rfind('@');
    if (!is_fleet_address(text) || end == std::string_view::npos) return std::string(text);
    const auto address = parse_fleet_address(text);
    return address.ok() ? address->text() : std::string(kFamily) + "..." + std::string(text.substr(end));
}

}  // namespace sla::fleet
