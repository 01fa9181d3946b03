// Keeps pinging agents of the same fleet and reports what was learned of their clocks. One ping every kPingSeconds, to
// a host that chance chooses, so that what it costs does not grow with the fleet; of the kMaxPeers pinged last
// something is kept. Whatever comes from outside is bounded: answers to no ping of ours, or late ones, are dropped.
//
// A step neither waits nor sleeps. Owner: one thread, never the one that drains.
#pragma once

#include "agent/peers/peer_transport.h"

#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace sla::peers {

struct PeerReading {
    std::string host;
    std::string boot_id;
    time::PeerReport report;
};

class PeerPinger {
public:
    static constexpr double kPingSeconds = 0.5;
    static constexpr double kTimeoutSeconds = 2;
    static constexpr std::size_t kMaxPeers = 128;

    // `transport` outlives it.
    PeerPinger(PeerTransport& transport, std::uint64_t seed) : transport_(transport), random_(seed) {}

    // `now` by the clock that stamps, `own` what is known of it.
    std::vector<PeerReading> step(std::uint64_t now, const time::ClockMap& own);
    // What is known of that host's clock in this boot of it; nothing: no ping came back.
    [[nodiscard]] std::vector<time::PeerReading> readings_of(const std::string& host, const std::string& boot_id) const;

private:
    struct Peer {
        time::PeerWindow window;
        std::string boot_id;
        std::uint64_t pinged_at = 0;
    };
    struct Ping {
        std::string host;
        std::uint64_t sent_at = 0;
    };
    void send(std::uint64_t now);
    void take(const time::ClockMap& own);
    void give_up(std::uint64_t now, const time::ClockMap& own);
    Peer& peer_of(const std::string& host);

    PeerTransport& transport_;
    std::mt19937_64 random_;
    std::map<std::string, Peer> peers_;
    std::map<std::uint64_t, Ping> under_way_;  // by number, so by time
    std::uint64_t newest_ping_ = 0;
    std::uint64_t pinged_at_ = 0;
};

}  // namespace sla::peers
