// The frames that report to readers the ledger and the agent's own health.
#pragma once

#include "agent/daemon/health/clock_watch.h"
#include "agent/daemon/pipeline/channel_table.h"
#include "agent/daemon/pipeline/program_entry.h"
#include "agent/publish/figures.h"
#include "agent/retain/retention.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace sla::daemon {

struct StatusInput {
    std::uint64_t now;
    const std::vector<const OpenChannel*>& channels;  // that this status is to report
    const ChannelTable& table;
    const std::vector<std::unique_ptr<ProgramEntry>>& programs;
    retain::Retention& retention;
    ClockWatch& clock;
    const ChannelPolicy& channel_policy;
    std::size_t readers;
    const shots::TriggerWatch& triggers;
    const publish::Figures* publishing;  // null: nothing is published
};

// As many frames as the channels need, each far below what a frame may be. Reads this process's own CPU time and memory.
std::vector<std::string> status_frames(const StatusInput& input);

// The last word on channels of an ended source.
std::vector<std::string> ledger_frames(const std::vector<const OpenChannel*>& channels, retain::Retention& retention,
                                       const ChannelPolicy& channel_policy, std::uint64_t now);

}  // namespace sla::daemon
