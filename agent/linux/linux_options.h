// What is wanted of the Linux host, as it was typed.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

namespace sla::linux {

struct LinuxOptions {
    std::string events;                // "irq,sched:sched_switch if prev_pid==42"
    std::vector<std::string> uprobes;  // "/path/prog:function", see uprobes.h
    std::vector<std::string> watches;  // "PID:symbol:rw", see perf_selection.h
    std::vector<std::string> samples;  // "time:1ms"
    std::vector<pid_t> pids;           // these and their children only; empty: the whole machine
    std::uint64_t buffer_bytes = 0;    // of the kernel's buffer, per CPU; 0: chosen by the number of CPUs
};

// Something was asked for that the kernel's trace gives.
inline bool wants_trace(const LinuxOptions& options) {
    return !options.events.empty() || !options.uprobes.empty();
}
// Something was asked for that perf events give.
inline bool wants_perf(const LinuxOptions& options) {
    return !options.watches.empty() || !options.samples.empty();
}

}  // namespace sla::linux
