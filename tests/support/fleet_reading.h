// All that a fleet's streams hold, read back message by message and held against what was promised of it.
#pragma once

#include "proto/fleet/headers.h"
#include "tests/support/nats_cluster.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace sla::support {

struct FleetMessage {
    fleet::MessageHeaders headers;
    std::string body;
    std::uint64_t sequence = 0;
    std::uint32_t shard = 0;
    std::string subject;
};

// Of one capture.
struct CaptureInFleet {
    std::uint64_t pieces = 0;                       // with their end
    std::uint64_t pieces_cut = 0;                   // without
    std::map<std::uint32_t, std::uint64_t> events;  // by channel, without gap rows
    std::uint64_t event_sum = 0;
    std::uint64_t missed = 0;  // that gaps of this reader stand for
    std::uint64_t lost = 0;    // all that gaps stand for
    std::uint64_t values = 0;  // sum of all values, so that none comes twice for another
    bool has_end = false;      // the stream's last frame
};

struct FleetContents {
    std::vector<FleetMessage> messages;
    std::map<std::string, CaptureInFleet> captures;  // by id
    std::vector<std::string> problems;               // promises that do not hold
};

FleetContents read_fleet(const NatsCluster& cluster, const std::string& fleet);

}  // namespace sla::support
