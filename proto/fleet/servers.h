// Where a fleet's servers are, as people type it, and how to be let in.
//
//   nats://[USER:PASSWORD@]A[:PORT],B,C        tls:// the same, encrypted; one word before the @ is a token
#pragma once

#include "proto/base/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace sla::fleet {

struct Servers {
    bool is_tls = false;
    std::string user;      // or the token, without a password
    std::string password;  // of the user
    bool has_password = false;
    std::vector<std::string> hosts;  // HOST:PORT each

    // For libnats, which takes user and password one by one.
    [[nodiscard]] std::vector<std::string> urls() const;
    // For people: without user and password.
    [[nodiscard]] std::string text() const;
};

inline constexpr std::uint16_t kDefaultPort = 4222;
inline constexpr std::size_t kMaxServers = 64;

Result<Servers> parse_servers(std::string_view text);

// Files that a connection may need, each empty when it does not.
struct Credentials {
    std::string creds;        // of a user: what `nsc` writes
    std::string authorities;  // certificates to believe, instead of the system's
    std::string certificate;  // our own, with
    std::string key;          // its key
};

// What is not said there is taken from $NATS_CREDS, $NATS_CA, $NATS_CERT and $NATS_KEY, as NATS' own tools do. Certificate and key go
// together: neither is taken where one was said.
Credentials with_environment(Credentials said);

}  // namespace sla::fleet
