// The agents that were met over TLS, by the fingerprints of their certificates: a file as ssh's known_hosts, a line each.
//
//   lab:4321 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
//
// Empty lines and what follows # do not count. A file with a line that cannot be read is believed in nothing: it may be the
// line that was meant to reveal a stranger.
#pragma once

#include "proto/base/result.h"
#include "proto/wire/address.h"

#include <string>
#include <string_view>

namespace sla::ingest {

class KnownAgents {
public:
    explicit KnownAgents(std::string path) : path_(std::move(path)) {}
    // $XDG_CONFIG_HOME/sla/known_agents
    static KnownAgents of_this_user();

    // Whether the agent is who it was the last time; gives what people should read: the fingerprint of one that is new and is
    // remembered from here on, else nothing. One that the address names with a fingerprint has to have that, and is neither
    // looked up nor remembered.
    Result<std::string> check(const wire::Address& address, const std::string& fingerprint) const;

private:
    Result<std::string> remember(const wire::Address& address, const std::string& fingerprint, std::string_view text) const;
    std::string path_;
};

}  // namespace sla::ingest
