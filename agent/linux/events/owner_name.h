// Processes as /proc has them, and names for what we make inside the kernel: "PREFIX-PID-STARTTIME" says whose it is, for ever.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sla::linux {

// When the process was started, in clock ticks since boot; 0 when there is no such process, or it has ended.
std::uint64_t start_time_of(pid_t pid);

// Of the process; none: there is no such process.
std::vector<pid_t> threads_of(pid_t pid);

// "PREFIX<separator>PID<separator>STARTTIME" of this process.
std::string own_name(std::string_view prefix, char separator);

// True when the name is of this pattern and its process is gone.
bool is_abandoned(std::string_view name, std::string_view prefix, char separator);

}  // namespace sla::linux
