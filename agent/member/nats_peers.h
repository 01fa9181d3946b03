// Pings over the cluster's request and reply, both sides of them. Stamps are taken on the threads of libnats that receive: those
// of arrival before anything else is done, those of departure behind everything else.
//
//   PeerPinger ── send ──► sla.v1.<fleet>.ping.<host> ──► the other agent's NatsPeers, at once
//       ▲─── take ◄── PingLog ◄── <inbox>.<number> ◄────────────┘
//
// Whom a ping did not reach (nobody listens there: its agent has ended) is left out until set_hosts names it again.
// attach, detach, set_hosts, hosts, send and take: one thread, that of Member.
#pragma once

#include "agent/member/ping_log.h"
#include "agent/peers/peer_transport.h"
#include "proto/base/result.h"
#include "proto/fleet/listener.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

namespace sla::member {

// Who we are, in the fleet's words and in those of our captures.
struct Identity {
    std::string fleet;
    std::string host;        // word of subjects
    std::string clock_host;  // as Hello says it
    std::string boot_id;
};

class NatsPeers : public peers::PeerTransport {
public:
    static constexpr std::size_t kMaxHosts = 10'000;
    using Now = std::uint64_t (*)();  // the clock that stamps
    NatsPeers(Identity self, Now now) : self_(std::move(self)), now_(now) {}

    // The connection stays until detach().
    Result<void> attach(const fleet::Connection& connection);
    void detach();
    void set_rate(double ticks_per_second) {
        ticks_per_second_.store(ticks_per_second, std::memory_order_relaxed);  // pairs with nothing: a rate
    }
    // Of the whole fleet, kMaxHosts of it; we leave ourselves out.
    void set_hosts(std::vector<std::string> hosts);

    std::vector<std::string> hosts() override;
    bool send(const std::string& host, std::uint64_t ping) override;
    std::vector<peers::PeerAnswer> take() override;

private:
    void on_ping(const fleet::Received& message);
    void on_answer(const fleet::Received& message);
    [[nodiscard]] std::optional<std::uint64_t> number_in(std::string_view subject) const;

    const Identity self_;
    const Now now_;
    std::atomic<double> ticks_per_second_{0};
    const fleet::Connection* connection_ = nullptr;
    std::string inbox_;
    std::mutex mutex_;
    PingLog log_;                             // under mutex_, as all up to the listeners
    std::vector<peers::PeerAnswer> answers_;  // not more than there were pings on their way
    std::set<std::string> hosts_;
    std::unique_ptr<fleet::Listener> pings_;
    std::unique_ptr<fleet::Listener> pongs_;
};

}  // namespace sla::member
