#include "proto/wire/address.h"

#include "proto/base/runtime_dir.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <sys/un.h>

#include <charconv>
#include <cstring>

namespace sla::wire {
namespace {

constexpr std::string_view kUnixPrefix = "unix:";
constexpr std::string_view kTcpPrefix = "tcp:";
constexpr std::size_t kMaxUnixPath = sizeof(sockaddr_un::sun_path) - 1;
constexpr std::size_t kMaxHost = 255;
constexpr std::size_t kMaxRuntimePath = std::size_t{256} << 10;  // longer than an environment variable can be

Error bad_address(std::string_view text, std::string_view why) {
    return invalid_input(fmt::format(
        "'{}' is not an address: {}; write unix:PATH or tcp:HOST:PORT, for example tcp:127.0.0.1:4321", text, why));
}

// A path in sun_path or a host name: characters that end or hide it are refused.
bool is_printable(std::string_view text) {
    for (const char c : text) {
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) return false;
    }
    return true;
}

Result<Address> parse_unix(std::string_view text, std::string_view path) {
    if (path.empty()) return bad_address(text, "the path is missing");
    if (!is_printable(path)) return bad_address(text, "the path holds a control character");
    if (path.size() > kMaxUnixPath) {
        return bad_address(text,
                           fmt::format("a socket's path may have {} bytes, this one has {}", kMaxUnixPath, path.size()));
    }
    Address address;
    address.path = path;
    return address;
}

bool is_ipv6(std::string_view host) {
    in6_addr parsed{};
    return inet_pton(AF_INET6, std::string(host.substr(0, host.find('%'))).c_str(), &parsed) == 1;
}

Result<Address> parse_tcp(std::string_view text, std::string_view rest) {
    const std::size_t colon = rest.rfind(':');
    if (colon == std::string_view::npos || (!rest.empty() && rest.back() == ']'))
        return bad_address(text, "the port is missing");
    std::string_view host = rest.substr(0, colon);
    const std::string_view port = rest.substr(colon + 1);

    const bool bracketed = host.size() >= 2 && host.front() == '[' && host.back() == ']';
    if (bracketed) host = host.substr(1, host.size() - 2);
    if (host.empty()) return bad_address(text, "the host is missing");
    if (bracketed && !is_ipv6(host)) return bad_address(text, "what stands in brackets is not an IPv6 address");
    if (!bracketed && host.find(':') != std::string_view::npos) {
        return bad_address(text, "an IPv6 address needs brackets, as in tcp:[::1]:4321");
    }
    if (host.size() > kMaxHost || !is_printable(host) || host.find_first_of("[] /") != std::string_view::npos) {
        return bad_address(text, "the host is not a name or an IP address");
    }

    Address address;
    address.family = Address::Family::kTcp;
    address.host = host;
    const auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), address.port);
    if (error != std::errc() || end != port.data() + port.size()) {
        return bad_address(text, "the port is not a number from 0 to 65535");
    }
    return address;
}

}  // namespace

Result<Address> parse_address(std::string_view text) {
    if (text.starts_with(kUnixPrefix)) return parse_unix(text, text.substr(kUnixPrefix.size()));
    if (text.starts_with(kTcpPrefix)) return parse_tcp(text, text.substr(kTcpPrefix.size()));
    return bad_address(text, "it begins with neither unix: nor tcp:");
}

bool looks_like_address(std::string_view text) {
    return text.starts_with(kUnixPrefix) || text.starts_with(kTcpPrefix);
}

Address default_address() {
    Address address;
    address.path.resize(kMaxRuntimePath);
    const int length = sla_runtime_path(address.path.data(), address.path.size(), SLA_AGENT_SOCKET);
    SLA_CHECK(length > 0);
    address.path.resize(static_cast<std::size_t>(length));
    return address;
}

std::string Address::text() const {
    if (family == Family::kUnix) return "unix:" + path;
    if (host.find(':') != std::string::npos) return fmt::format("tcp:[{}]:{}", host, port);
    return fmt::format("tcp:{}:{}", host, port);
}

bool Address::is_loopback() const {
    if (family == Family::kUnix || host == "localhost") return true;
    in_addr v4{};
    if (inet_pton(AF_INET, host.c_str(), &v4) == 1) return (ntohl(v4.s_addr) >> 24) == 127;
    in6_addr v6{};
    if (inet_pton(AF_INET6, host.c_str(), &v6) != 1) return false;
    const bool mapped_loopback = IN6_IS_ADDR_V4MAPPED(&v6) && v6.s6_addr[12] == 127;
    return IN6_IS_ADDR_LOOPBACK(&v6) || mapped_loopback;
}

}  // namespace sla::wire
