// What `--watch` and `--sample` ask for.
//
//   --watch PID:SYMBOL[:w|rw|x]     PID:0xADDRESS[:...]         --sample EVENT[:EVERY]
//
// EVENT: time, page-faults, context-switches, cycles, instructions ..., or raw-HEX (the processor's own number of it).
// EVERY: a time for "time" (1ms), else a number of events.
#pragma once

#include "proto/base/result.h"

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sla::linux {

enum class WatchedAccess { kWrite, kReadWrite, kExecute };

struct WatchRequest {
    pid_t pid = 0;
    std::string symbol;
    WatchedAccess access = WatchedAccess::kWrite;
};
Result<WatchRequest> parse_watch(const std::string& typed);

struct SampleRequest {
    std::string name;  // as typed, for the lane
    std::uint32_t type = 0;
    std::uint64_t config = 0;
    std::uint64_t every = 0;  // nanoseconds, or events
};
Result<SampleRequest> parse_sample(const std::string& typed);

// The names that parse_sample takes, for help texts: "time, page-faults, ...".
std::string sample_names();

}  // namespace sla::linux
