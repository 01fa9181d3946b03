// How an agent is: names and its newest Status, without events.
#pragma once

#include "proto/base/result.h"
#include "proto/wire/address.h"
#include "viewer/store/names.h"
#include "viewer/store/session.h"

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace sla::cli {

// Into `session`; fails when nothing came in time, or the person wants it to stop. `client` is how the agent shows us.
Result<void> ask_for_status(const wire::Address& address, const std::string& client, std::chrono::milliseconds timeout,
                            store::Session& session);

struct AgentChannel {
    std::string name;
    bool is_of_kernel = false;
};
// Nothing when it does not answer in time.
std::optional<std::vector<AgentChannel>> channels_of(const wire::Address& address, const std::string& client);
// One for each name or pattern that no channel of this agent has yet; it names the nearest.
std::vector<Error> unknown_channels(const std::vector<AgentChannel>& channels, const std::vector<std::string>& globs);
// Warns of each name or pattern that no channel of this agent has yet, and names the nearest.
void warn_of_unknown(const std::vector<AgentChannel>& channels, const std::vector<std::string>& globs);
// Warns when some of them are the kernel's: no marker asks for a filter there.
void warn_of_unfiltered(const std::vector<AgentChannel>& channels, const std::vector<std::string>& globs);

// What is set of a channel, in words.
// "off", "value > 100", "memory full: 12.3 s kept of 30 s"; empty: everything is recorded and kept as asked.
std::string channel_state(const store::Session& session, const store::Lane& lane, const store::Ledger& ledger);

}  // namespace sla::cli
