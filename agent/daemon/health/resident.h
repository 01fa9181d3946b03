// What of this process is in memory.
#pragma once

#include <cstdint>

namespace sla::daemon {

struct Resident {
    std::uint64_t bytes = 0;
    std::uint64_t ring_bytes = 0;  // of them: programs' rings, the only memory that is shared with anybody
    std::uint64_t file_bytes = 0;  // of the program and its libraries
};

// From /proc/self/status: some twenty microseconds.
Resident resident();

}  // namespace sla::daemon
