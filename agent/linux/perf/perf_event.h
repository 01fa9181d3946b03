// perf_event_open with reasons: why an event cannot be had, in words and as one of three answers.
#pragma once

#include "agent/linux/unique_fd.h"
#include "proto/base/result.h"

#include <linux/perf_event.h>
#include <sys/types.h>

#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace sla::linux {

enum class Access { kAvailable, kNoPermission, kNotPresent };
// "available", "no permission", "not present".
const char* access_name(Access access);

struct PerfRefusal {
    Access access = Access::kNotPresent;
    std::string reason;
    std::string fix;  // empty: there is none
    int number = 0;   // errno
};

// An attribute block of this type and config, not yet started.
perf_event_attr perf_attribute(std::uint32_t type, std::uint64_t config);

// Of a watchpoint on stores to these four bytes.
perf_event_attr store_watch_attribute(const void* address);

// `pid` 0: this thread; -1: everybody (then a CPU is needed). `what` is for the reason's words.
std::variant<UniqueFd, PerfRefusal> open_perf_event(const perf_event_attr& attribute, pid_t pid, int cpu,
                                                    const std::string& what);

// CPUs of a list as the kernel writes it, "0,2-3"; what makes no sense is left out.
std::vector<int> parse_cpu_list(std::string_view text);
// Those that run now: their numbers need not be in a row.
std::vector<int> online_cpus();

// "no permission: ...; FIX" as an error.
Error as_error(const PerfRefusal& refusal);

}  // namespace sla::linux
