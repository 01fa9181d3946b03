// One way in for everything people name: a capture file, an address, or nothing (this user's agent).
#pragma once

#include "proto/base/result.h"
#include "viewer/store/session.h"

#include <functional>
#include <string>
#include <vector>

namespace sla::ingest {

struct LoadOptions {
    std::string client = "sla";
    std::vector<std::string> channels;     // globs an agent may use to send less; files are read whole
    bool status_only = false;              // agents: names and ledger, no events
    std::function<bool(double)> progress;  // 0..1 for files, -1 for agents, also while one is waited for; false stops
    // Files too large for memory: hears of rows that turn out to be unreadable when they are asked for.
    std::function<void(const std::string&)> on_damage;
};

// Fills the session with all there is now: the whole file, or what the agent holds. `target` is a path, an address or "".
Result<void> load(const std::string& target, store::Session& session, const LoadOptions& options = {});

}  // namespace sla::ingest
