// What `sla fleet` prints: tables for people and for programs, and the permissions that agents and readers need.
#pragma once

#include "proto/fleet/registry.h"
#include "proto/fleet/streams.h"
#include "viewer/cli/fleet/ask_hosts.h"
#include "viewer/fleet/fleet_losses.h"
#include "viewer/formats/table/people_table.h"
#include "viewer/formats/table/small_table.h"

#include <cstdint>
#include <string>
#include <vector>

namespace sla::cli {

// One list in both its forms.
struct FleetTable {
    formats::SmallTable plain;    // every column, plain numbers
    formats::PeopleTable people;  // few, with units
};

// "live", "silent for 12 s", "ended", at this UTC; "cut off 3 h ago": its host has begun another since, and it reported no end.
std::string state_of(const fleet::RunEntry& run, std::int64_t now_ns, bool is_followed = false);

FleetTable hosts_table(const std::vector<fleet::RunEntry>& runs, std::int64_t now_ns);
FleetTable captures_table(const std::vector<fleet::RunEntry>& runs, std::int64_t now_ns);
// `losses`: of captures in them; null: nobody looked.
FleetTable shards_table(const std::vector<fleet::ShardState>& shards, const std::vector<fleet::CaptureLosses>* losses,
                        std::int64_t now_ns);
FleetTable answers_table(const std::vector<HostAnswer>& answers);
FleetTable shots_table(const std::vector<fleet::ShotEntry>& shots);
// "3 hosts, 2 live; 1204 events in spools, 0 dropped"
std::string sum_of(const std::vector<fleet::RunEntry>& runs, std::int64_t now_ns);

// For nats-server's configuration: what users may do, an agent that of its host alone.
std::string permissions_text(const std::string& fleet, std::uint32_t shards);

}  // namespace sla::cli
