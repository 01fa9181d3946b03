// One way in for everything people name: a capture file, an address, or nothing (this user's agent).
#pragma once

#include "proto/base/result.h"
#include "proto/wire/address.h"
#include "viewer/ingest/stream_client.h"
#include "viewer/store/session.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace sla::ingest {

struct LoadOptions {
    std::string client = "sla";
    std::vector<std::string> channels;         // globs an agent may use to send less; files are read whole
    std::uint64_t rows_in_memory = 4'000'000;  // files with more stay on the disk (FileOptions)
    bool status_only = false;                  // agents: names and ledger, no events
    std::optional<std::int64_t> from_ps;       // agents: rows outside of this time may be left out; files are read whole
    std::optional<std::int64_t> until_ps;
    std::function<bool(double)> progress;  // 0..1 for files, -1 for agents, also while one is waited for; false stops
    // Files too large for memory: receives rows that turn out to be unreadable when they are asked for.
    std::function<void(const std::string&)> on_damage;
    // Fleets: receives which captures a pattern was taken for, where it matches more.
    std::function<void(const std::string&)> on_remark;
};

// Fills the session with all there is now: the whole file, or what the agent holds, which is then in memory. `target` is a
// path, an address or "".
Result<void> load(const std::string& target, store::Session& session, const LoadOptions& options = {});

// For people: what is known to be damaged, the first few of it.
std::vector<std::string> damage_lines(const store::Session& session);

// What to ask an agent for, so that it sends all that these options want and little else; asks it for its clock where they
// name a time.
Result<StreamOptions> stream_for(const wire::Address& address, const LoadOptions& options);

// An agent's names, clock and newest Status: what it reports before the first event. Ends early when `goes_on` gives false.
Result<void> load_names(const wire::Address& address, const std::string& client, store::Session& session,
                        const std::function<bool()>& goes_on, std::chrono::milliseconds timeout = std::chrono::seconds(3));

// The tick from which on an agent need send what it holds, so that all from that time of its capture on comes.
Result<std::uint64_t> history_from(const wire::Address& address, const std::string& client, std::int64_t from_ps,
                                   const std::function<bool()>& goes_on);

}  // namespace sla::ingest
