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

// Of this process, as the kernel counts it.
struct ResidentMemory {
    std::uint64_t bytes = 0;
    std::uint64_t ring_bytes = 0;  // of them: programs' rings, the only memory that is shared with anybody
};
ResidentMemory resident_memory();

// Reads this process's own CPU time and memory.
std::string status_frame(const StatusInput& input);

}  // namespace sla::daemon
