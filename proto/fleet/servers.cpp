#include "proto/fleet/servers.h"

#include "proto/base/text.h"

#include <fmt/format.h>

#include <cstdlib>

namespace sla::fleet {
namespace {

constexpr std::size_t kMaxHost = 255;

Error bad_servers(std::string_view text, std::string_view why) {
    const std::size_t at = text.rfind('@');
    const std::string shown = at == std::string_view::npos ? std::string(text) : "..." + std::string(text.substr(at));
    return invalid_input(fmt::format(
        "'{}' does not name servers: {}; write nats://HOST[:PORT][,HOST...], tls:// where they want it encrypted, with "
        "USER:PASSWORD@ before the first host where they want that",
        shown, why));
}

bool is_plain(std::string_view text) {
    for (const char c : text) {
        const auto code = static_cast<unsigned char>(c);
        if (code <= 0x20 || code >= 0x7f) return false;
    }
    return true;
}

// HOST, HOST:PORT, [V6], [V6]:PORT as HOST:PORT; empty: it is none.
std::string parse_host(std::string_view text) {
    std::string_view host = text;
    std::uint16_t port = kDefaultPort;
    const std::size_t bracket = text.rfind(']');
    const std::size_t colon = text.rfind(':');
    if (colon != std::string_view::npos && (bracket == std::string_view::npos || colon > bracket)) {
        host = text.substr(0, colon);
        port = whole_number<std::uint16_t>(text.substr(colon + 1)).value_or(0);
        if (port == 0) return "";
    }
    const bool is_v6 = host.size() > 2 && host.front() == '[' && host.back() == ']';
    const std::string_view name = is_v6 ? host.substr(1, host.size() - 2) : host;
    if (name.empty() || name.size() > kMaxHost || name.find_first_of("[]@/?#%,") != std::string_view::npos) return "";
    if (!is_v6 && name.find(':') != std::string_view::npos) return "";
    return fmt::format("{}:{}", host, port);
}

}  // namespace

Result<Servers> parse_servers(std::string_view text) {
    Servers servers;
    std::string_view rest = text;
    if (rest.starts_with("nats://")) {
        rest.remove_prefix(7);
    } else if (rest.starts_with("tls://")) {
        servers.is_tls = true;
        rest.remove_prefix(6);
    } else {
        return bad_servers(text, "it begins with neither nats:// nor tls://");
    }
    if (!is_plain(rest)) return bad_servers(text, "it holds a space or a character that is not ASCII");
    if (const std::size_t at = rest.rfind('@'); at != std::string_view::npos) {
        const std::string_view user = rest.substr(0, at);
        const std::size_t colon = user.find(':');
        if (user.empty() || colon == 0) return bad_servers(text, "the user is missing before the @");
        servers.user = user.substr(0, colon);
        servers.has_password = colon != std::string_view::npos;
        if (servers.has_password) servers.password = user.substr(colon + 1);
        rest.remove_prefix(at + 1);
    }
    for (std::size_t begin = 0; begin <= rest.size();) {
        const std::size_t end = std::min(rest.find(',', begin), rest.size());
        std::string host = parse_host(rest.substr(begin, end - begin));
        if (host.empty()) return bad_servers(text, "a host or its port is wrong");
        if (servers.hosts.size() == kMaxServers) return bad_servers(text, "these are too many");
        servers.hosts.push_back(std::move(host));
        begin = end + 1;
    }
    return servers;
}

std::vector<std::string> Servers::urls() const {
    std::vector<std::string> urls;
    for (const std::string& host : hosts) urls.push_back(fmt::format("{}://{}", is_tls ? "tls" : "nats", host));
    return urls;
}

Credentials with_environment(Credentials said) {
    const auto complete = [](std::string& file, const char* name) {
        const char* const value = std::getenv(name);
        if (file.empty() && value != nullptr) file = value;
    };
    complete(said.creds, "NATS_CREDS");
    complete(said.authorities, "NATS_CA");
    if (said.certificate.empty() && said.key.empty()) {
        complete(said.certificate, "NATS_CERT");
        complete(said.key, "NATS_KEY");
    }
    return said;
}

std::string Servers::text() const {
    return fmt::format("{}://{}", is_tls ? "tls" : "nats", fmt::join(hosts, ","));
}

}  // namespace sla::fleet
