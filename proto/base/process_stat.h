// A process as /proc/PID/stat shows it, proc(5).
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>

namespace sla {

struct ProcessStat {
    char state = 0;  // 'R' runs, 'T' and 't' are stopped, 'Z' and 'X' have ended
    pid_t parent = 0;
    pid_t group = 0;
    std::uint64_t start = 0;  // clock ticks since boot

    [[nodiscard]] bool is_stopped() const { return state == 'T' || state == 't'; }
    // Its parent has not asked about it yet.
    [[nodiscard]] bool has_ended() const { return state == 'Z' || state == 'X'; }
};

// Nothing: there is no such process.
std::optional<ProcessStat> process_stat(pid_t process);

}  // namespace sla
