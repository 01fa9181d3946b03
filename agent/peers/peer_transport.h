// How pings come to other agents of a fleet and answers back. The real one is the cluster's request and reply; tests have their
// own. It takes the stamps, as near to the wire as it can.
#pragma once

#include "proto/common/clock/peer_window.h"

#include <cstdint>
#include <string>
#include <vector>

namespace sla::peers {

struct PeerAnswer {
    std::uint64_t ping = 0;       // the number that it was sent with
    std::string boot_id;          // of the host that answered
    double ticks_per_second = 0;  // of its clock
    time::PeerExchange stamps;
};

class PeerTransport {
public:
    virtual ~PeerTransport() = default;
    // Hosts of the fleet that can be asked now, without this one.
    virtual std::vector<std::string> hosts() = 0;
    // Sends one and does not wait; false: it could not be sent.
    virtual bool send(const std::string& host, std::uint64_t ping) = 0;
    // What has come since the last call.
    virtual std::vector<PeerAnswer> take() = 0;
};

}  // namespace sla::peers
