// What the fleet's registry says of a host and its captures: one entry a run of an agent, as JSON in a bucket, written anew
// every two seconds as long as the agent runs.
//
//   bucket SLA_<fleet>_hosts       <host>              its newest run
//                                  fleet.settings      how the fleet was set up
//   bucket SLA_<fleet>_captures    <host>.<capture>    every run
//   bucket SLA_<fleet>_shots       <shot>.<host>       what that host kept of a shot of the fleet
#pragma once

#include "proto/base/result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sla::fleet {

struct FleetSettings {
    std::uint32_t shards = 4;
    std::uint32_t replicas = 3;
    std::int64_t age_ns = 86'400'000'000'000;
    std::uint64_t bytes = std::uint64_t{10} << 30;  // of each shard

    [[nodiscard]] std::string json() const;
    bool operator==(const FleetSettings&) const = default;
};
Result<FleetSettings> parse_settings(std::string_view json);

// A reading of the host's clocks, taken together.
struct ClockReading {
    std::uint64_t tick = 0;
    std::int64_t monotonic_raw_ns = 0;
    std::int64_t realtime_ns = 0;
    std::uint32_t error_ticks = 0;
    bool operator==(const ClockReading&) const = default;
};

struct RunEntry {
    std::string host;     // as it stands in subjects
    std::string capture;  // likewise
    std::string boot;     // likewise
    std::uint32_t shard = 0;
    std::string agent;  // "sla-agent 0.1.0"
    std::uint32_t pid = 0;
    std::int64_t started_ns = 0;  // UTC
    std::int64_t seen_ns = 0;     // UTC, when this was written
    std::int64_t ended_ns = 0;    // UTC; 0: it runs, or no end was reported
    double ticks_per_second = 0;
    ClockReading clock;
    std::string clock_health;  // in words

    // Events; produced = published + dropped + left.
    std::uint64_t produced = 0;
    std::uint64_t published = 0;    // acknowledged by the cluster
    std::uint64_t dropped = 0;      // did not get into the spool; but for lost_at_end the stream has a gap there
    std::uint64_t lost_at_end = 0;  // of dropped, of an agent that has ended: what is behind the last row
    std::uint64_t left = 0;         // in the spool still, or on the way there
    std::uint64_t pieces = 0;       // begun
    std::uint64_t spool_bytes = 0;
    std::uint64_t spool_limit = 0;
    std::string problem;  // newest; empty: none

    [[nodiscard]] std::string json() const;
    bool operator==(const RunEntry&) const = default;
};
// Of bytes from outside.
Result<RunEntry> parse_run(std::string_view json);
// Of one host, `later` being the newest: did the other's agent still run once that had begun? Then two go by one name.
bool ran_beside(const RunEntry& other, const RunEntry& later);
// A sentence for each host for which that holds; runs are sorted by host, then begin. Who reads a host gets its newest alone.
std::vector<std::string> twins_in(const std::vector<RunEntry>& runs);

// What one host kept of a shot of the fleet, where it fired or elsewhere.
struct ShotEntry {
    std::string shot;     // its id
    std::string host;     // that says this
    std::string capture;  // of its agent
    std::string fired_on;
    std::string trigger;  // there
    std::uint64_t number = 0;
    std::string what;           // the condition that fired it
    std::uint64_t tick = 0;     // of this host's clock, as of the same instant
    std::int64_t error_ns = 0;  // ± of that; 0 where it fired
    bool is_bounded = true;     // no: the error says what was measured, but nothing bounds it
    std::string placed_by;      // "its own stamp", "pings between the agents", "both wall clocks"
    std::uint64_t begin_tick = 0;
    std::uint64_t end_tick = 0;
    std::int64_t utc_ns = 0;  // of the tick, as this host's wall clock has it; 0: it has none
    std::string state;        // "filling", "kept", "lacking", "refused"
    std::string problem;      // what it lacks, why it was refused; empty: nothing

    [[nodiscard]] std::string json() const;
    bool operator==(const ShotEntry&) const = default;
};
Result<ShotEntry> parse_shot_entry(std::string_view json);

}  // namespace sla::fleet
