// What stands in the streams and buckets of a fleet.
#pragma once

#include "proto/base/result.h"
#include "proto/fleet/connection.h"
#include "proto/fleet/registry.h"

#include <cstdint>
#include <string>
#include <vector>

namespace sla::fleet {

// One shard's stream as it is.
struct ShardState {
    std::uint32_t shard = 0;
    std::string stream;
    std::uint64_t messages = 0;
    std::uint64_t bytes = 0;
    std::uint64_t max_bytes = 0;  // 0: no limit
    std::uint64_t first_sequence = 0;
    std::uint64_t last_sequence = 0;
    std::uint64_t deleted = 0;       // of the messages between, by somebody
    std::int64_t first_time_ns = 0;  // UTC, of arrival
    std::int64_t last_time_ns = 0;
    std::int64_t max_age_ns = 0;
    std::uint32_t replicas = 0;
    std::string leader;                // empty: there is none now, or no cluster
    std::vector<std::string> lagging;  // replicas that are offline or behind
};

// How the fleet was set up; kNotFound, with what to do, when it was not.
Result<FleetSettings> settings_of(const Connection& connection, const std::string& fleet);
Result<ShardState> state_of(const Connection& connection, const std::string& fleet, std::uint32_t shard);

// A host's newest.
Result<RunEntry> newest_run_of(const Connection& connection, const std::string& fleet, const std::string& host);
// All runs that a bucket lists, those that cannot be read left out; sorted by host, then begin.
Result<std::vector<RunEntry>> runs_in(const Connection& connection, const std::string& bucket);
// What hosts say of the fleet's shots, by shot and host.
Result<std::vector<ShotEntry>> shots_of(const Connection& connection, const std::string& fleet);

}  // namespace sla::fleet
