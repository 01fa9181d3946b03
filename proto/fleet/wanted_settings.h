// What people type of how a fleet is set up, and what becomes of the rest: it stays as the streams have it.
#pragma once

#include "proto/base/result.h"
#include "proto/fleet/connection.h"
#include "proto/fleet/registry.h"

#include <cstdint>
#include <optional>
#include <string>

namespace sla::fleet {

struct WantedSettings {
    std::optional<std::uint32_t> shards;
    std::optional<std::uint32_t> replicas;
    std::optional<std::int64_t> age_ns;
    std::optional<std::uint64_t> bytes;
};

// What is not wanted otherwise is as the streams have it: where they differ, what keeps most. Of a fleet that is not there the
// default. kUnavailable: how it is set up cannot be read.
Result<FleetSettings> settings_for(const Connection& connection, const std::string& fleet, const WantedSettings& wanted);

// How a stream keeps its messages; 0: without a limit.
struct Keeping {
    std::int64_t age_ns = 0;
    std::uint64_t bytes = 0;
    std::uint32_t replicas = 1;
};

// "age from 168 h to 24 h (deletes what is older), replicas from 1 to 3"; empty: nothing changes.
std::string changes_in_words(const Keeping& before, const Keeping& after);
// "32 MiB", "no limit".
std::string size_in_words(std::uint64_t bytes);

}  // namespace sla::fleet
