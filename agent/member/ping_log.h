// Which pings are on their way, and what answers to them say: an answer counts once, for the ping that it names, and says who
// it is. Whatever else comes is dropped. Pure; one owner at a time (NatsPeers, under its lock).
#pragma once

#include "agent/peers/peer_transport.h"
#include "proto/fleet/talk.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace sla::member {

class PingLog {
public:
    static constexpr std::size_t kMax = 64;  // on their way; the oldest is forgotten

    // Its stamp, to be set as late as can be.
    std::uint64_t& begin(std::uint64_t number, const std::string& host);
    // Of `number`, that came back at this tick.
    std::optional<peers::PeerAnswer> finish(std::uint64_t number, const fleet::Pong& pong, std::uint64_t returned);
    // It will not be answered; whom it was for.
    std::optional<std::string> forget(std::uint64_t number);
    void clear() { under_way_.clear(); }

private:
    struct Ping {
        std::string host;
        std::uint64_t sent = 0;
    };
    std::map<std::uint64_t, Ping> under_way_;
};

}  // namespace sla::member
