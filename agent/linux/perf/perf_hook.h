// One thing that `--watch` or `--sample` asked for, as the kernel wants it; no event of it is opened yet.
#pragma once

#include "agent/linux/events/lane_sink.h"
#include "agent/linux/symbols/process_symbols.h"
#include "proto/base/result.h"

#include <linux/perf_event.h>
#include <sys/types.h>

#include <string>
#include <vector>

namespace sla::linux {

// The kernel has an event of it for each thread and CPU.
struct PerfHook {
    std::string what;  // for messages
    LaneNumber lane = 0;
    perf_event_attr attribute{};
    std::vector<pid_t> pids;  // processes; none: everybody
    pid_t watched_pid = 0;    // 0: a sample
    bool reports_value = false;
};

// Both open the hook's lane. Errors as of PerfSource::start.
Result<PerfHook> watch_hook(const std::string& typed, ProcessSymbols& symbols, LaneSink& sink);
Result<PerfHook> sample_hook(const std::string& typed, const std::vector<pid_t>& pids, LaneSink& sink);

}  // namespace sla::linux
