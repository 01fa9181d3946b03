// The frame that tells readers the ledger and the agent's own health.
#pragma once

#include "agent/daemon/clock_watch.h"
#include "agent/daemon/pipeline.h"
#include "agent/daemon/program_entry.h"
#include "agent/retain/retention.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace sla::daemon {

struct StatusInput {
    std::uint64_t now;
    const std::vector<std::unique_ptr<Lane>>& lanes;
    const std::vector<std::unique_ptr<ProgramEntry>>& programs;
    retain::Retention& retention;
    ClockWatch& clock;
    const Switchboard& switchboard;
    std::size_t readers;
    const shots::TriggerWatch& triggers;
};

std::uint64_t resident_bytes();

// Reads this process's own CPU time and memory.
std::string status_frame(const StatusInput& input);

}  // namespace sla::daemon
