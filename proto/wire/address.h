// Addresses people type: unix:PATH, tcp:HOST:PORT, tls:HOST:PORT[#FINGERPRINT], ssh:[USER@]HOST[:PATH]; nothing typed means
// this user's agent.
#pragma once

#include "proto/base/result.h"

#include <string>
#include <string_view>

namespace sla::wire {

struct Address {
    enum class Family { kUnix, kTcp, kSsh, kTls };
    Family family = Family::kUnix;
    std::string path;  // unix; ssh: of the agent's socket over there, or nothing
    std::string host;  // tcp, tls: "[::1]" is typed with brackets and kept without; ssh: USER@HOST as it is given to ssh
    std::uint16_t port = 0;
    std::string fingerprint;  // tls: of the only certificate that will do, 64 lower-case hex digits; empty: not said

    [[nodiscard]] std::string text() const;
    // "lab:4321", "[::1]:4321"; of tcp and tls.
    [[nodiscard]] std::string host_and_port() const;
    [[nodiscard]] bool is_loopback() const;  // always true for unix, never for ssh
};

Result<Address> parse_address(std::string_view text);
// SHA-256 of a certificate as people have it, hex digits with colons or without, as 64 lower-case digits; empty: it is none.
std::string parse_fingerprint(std::string_view text);
// True when the text starts like an address, so that "unix:x" is never taken for a file.
bool looks_like_address(std::string_view text);
// unix:$RUNTIME/agent.sock
Address default_address();

}  // namespace sla::wire
