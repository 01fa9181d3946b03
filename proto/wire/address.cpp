#include "proto/wire/address.h"

#include "proto/base/control_characters.h"
#include "proto/base/runtime_dir.h"
#include "proto/base/text.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <sys/un.h>

#include <algorithm>
#include <cstring>

namespace sla::wire {
namespace {

constexpr std::string_view kUnixPrefix = "unix:";
constexpr std::string_view kTcpPrefix = "tcp:";
constexpr std::string_view kSshPrefix = "ssh:";
constexpr std::string_view kTlsPrefix = "tls:";
constexpr std::size_t kFingerprintDigits = 64;
constexpr std::size_t kMaxUnixPath = sizeof(sockaddr_un::sun_path) - 1;
constexpr std::size_t kMaxHost = 255;
constexpr std::size_t kMaxRuntimePath = std::size_t{256} << 10;  // longer than an environment variable can be

Error bad_address(std::string_view text, std::string_view why) {
    return invalid_input(
        fmt::format("'{}' is not an address: {}; write unix:PATH, ssh:[USER@]HOST[:PATH], tls:HOST:PORT or "
                    "tcp:HOST:PORT, for example tcp:127.0.0.1:4321",
                    text, why));
}

// A path in sun_path or a host name: characters that end or hide it are refused.
bool is_printable(std::string_view text) {
    return std::none_of(text.begin(), text.end(), is_control);
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
    const auto number = whole_number<std::uint16_t>(port);
    if (!number) return bad_address(text, "the port is not a number from 0 to 65535");
    address.port = *number;
    return address;
}

Result<Address> parse_tls(std::string_view text, std::string_view rest) {
    const std::size_t hash = rest.find('#');
    Result<Address> address = parse_tcp(text, rest.substr(0, hash));
    if (!address) return address;
    address->family = Address::Family::kTls;
    if (hash == std::string_view::npos) return address;
    address->fingerprint = parse_fingerprint(rest.substr(hash + 1));
    if (address->fingerprint.empty()) {
        return bad_address(text, "what stands behind # is not a certificate's fingerprint, which has 64 hex digits");
    }
    return address;
}

// Where the host ends: behind a bracketed IPv6 address, else at the first colon.
std::size_t end_of_ssh_host(std::string_view rest) {
    const std::size_t at = rest.find('@');
    const std::size_t begin = at == std::string_view::npos || at > rest.find(':') ? 0 : at + 1;
    if (begin < rest.size() && rest[begin] == '[') {
        const std::size_t bracket = rest.find(']', begin);
        return bracket == std::string_view::npos ? bracket : bracket + 1;
    }
    return std::min(rest.find(':'), rest.size());
}

// What ssh is given as a word of its own: nothing in it may be taken for an option, or for more than a name.
Result<Address> parse_ssh(std::string_view text, std::string_view rest) {
    const std::size_t end = end_of_ssh_host(rest);
    if (end == std::string_view::npos) return bad_address(text, "a bracket is not closed");
    std::string_view user = rest.substr(0, end);
    std::string_view path = rest.substr(end);
    const std::size_t at = user.rfind('@');
    std::string_view host = at == std::string_view::npos ? user : user.substr(at + 1);
    user = at == std::string_view::npos ? std::string_view() : user.substr(0, at);
    if (at == 0) return bad_address(text, "the user is missing before the @");
    if (host.size() >= 2 && host.front() == '[') {
        host = host.substr(1, host.size() - 2);
        if (!is_ipv6(host)) return bad_address(text, "what stands in brackets is not an IPv6 address");
    }
    if (host.empty()) return bad_address(text, "the host is missing");
    if (host.front() == '-' || user.starts_with('-')) return bad_address(text, "no host or user begins with -");
    if (host.size() + user.size() > kMaxHost || !is_printable(rest) ||
        host.find_first_of("[] /@'\"\\") != std::string_view::npos ||
        user.find_first_of(" /@'\"\\") != std::string_view::npos) {
        return bad_address(text, "the host is not a name or an IP address");
    }
    if (!path.empty() && path.front() != ':') return bad_address(text, "a path stands behind a colon");
    if (path == ":") return bad_address(text, "the path is missing");
    if (!path.empty()) path.remove_prefix(1);
    if (path.size() > kMaxUnixPath) return bad_address(text, fmt::format("a socket's path may have {} bytes", kMaxUnixPath));
    if (path.starts_with('-')) return bad_address(text, "no path begins with - (write ./-)");
    Address address;
    address.family = Address::Family::kSsh;
    address.host = user.empty() ? std::string(host) : fmt::format("{}@{}", user, host);
    address.path = path;
    return address;
}

}  // namespace

Result<Address> parse_address(std::string_view text) {
    if (text.starts_with(kUnixPrefix)) return parse_unix(text, text.substr(kUnixPrefix.size()));
    if (text.starts_with(kTcpPrefix)) return parse_tcp(text, text.substr(kTcpPrefix.size()));
    if (text.starts_with(kSshPrefix)) return parse_ssh(text, text.substr(kSshPrefix.size()));
    if (text.starts_with(kTlsPrefix)) return parse_tls(text, text.substr(kTlsPrefix.size()));
    return bad_address(text, "it begins with none of unix:, ssh:, tls: and tcp:");
}

std::string parse_fingerprint(std::string_view text) {
    std::string digits;
    for (const char c : text) {
        if (c == ':') continue;
        const char low = c >= 'A' && c <= 'F' ? static_cast<char>(c - 'A' + 'a') : c;
        const bool is_hex = (low >= '0' && low <= '9') || (low >= 'a' && low <= 'f');
        if (!is_hex || digits.size() == kFingerprintDigits) return "";
        digits += low;
    }
    return digits.size() == kFingerprintDigits ? digits : "";
}

bool looks_like_address(std::string_view text) {
    return text.starts_with(kUnixPrefix) || text.starts_with(kTcpPrefix) || text.starts_with(kSshPrefix) ||
           text.starts_with(kTlsPrefix);
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
    if (family == Family::kSsh) {
        const std::size_t at = host.find('@') + 1;  // npos + 1 is 0
        const bool is_v6 = host.find(':', at) != std::string::npos;
        const std::string there = is_v6 ? fmt::format("{}[{}]", host.substr(0, at), host.substr(at)) : host;
        return "ssh:" + there + (path.empty() ? "" : ":" + path);
    }
    if (family == Family::kTcp) return "tcp:" + host_and_port();
    return "tls:" + host_and_port() + (fingerprint.empty() ? "" : "#" + fingerprint);
}

std::string Address::host_and_port() const {
    return host.find(':') == std::string::npos ? fmt::format("{}:{}", host, port) : fmt::format("[{}]:{}", host, port);
}

bool Address::is_loopback() const {
    if (family == Family::kSsh) return false;
    if (family == Family::kUnix || host == "localhost") return true;
    in_addr v4{};
    if (inet_pton(AF_INET, host.c_str(), &v4) == 1) return (ntohl(v4.s_addr) >> 24) == 127;
    in6_addr v6{};
    if (inet_pton(AF_INET6, host.c_str(), &v6) != 1) return false;
    const bool mapped_loopback = IN6_IS_ADDR_V4MAPPED(&v6) && v6.s6_addr[12] == 127;
    return IN6_IS_ADDR_LOOPBACK(&v6) || mapped_loopback;
}

}  // namespace sla::wire
