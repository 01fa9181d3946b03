// What it takes to read a trace that somebody else has set up: descriptors, and the formats of the events in it. Nothing in
// here needs a privilege; it may have come from another process.
#pragma once

#include "agent/linux/symbols/uprobes.h"
#include "agent/linux/unique_fd.h"
#include "proto/base/result.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sla::linux {

// What the kernel lost on one CPU since the instance was made, beyond what its pages say.
struct CpuLosses {
    std::uint64_t overrun = 0;         // overwritten before they were read
    std::uint64_t commit_overrun = 0;  // an interrupt's events, with a buffer full of unfinished ones
    std::uint64_t dropped = 0;
    bool operator==(const CpuLosses&) const = default;
};
// From the text of a per_cpu/cpuN/stats file.
CpuLosses parse_cpu_losses(std::string_view stats);

struct OpenedTrace {
    struct Cpu {
        int number = 0;
        UniqueFd pages;  // for read() of whole sub-buffers, without blocking
        UniqueFd stats;
    };
    struct Event {
        std::string system;
        std::string format;  // text of its format file
        std::string lane;    // of a hook in a program's function; empty: the kernel's own event
        ProbeEdge edge = ProbeEdge::kTick;
    };
    std::size_t page_bytes = 4096;
    std::uint64_t buffer_bytes = 0;  // of each CPU; 0: not known
    std::vector<Cpu> cpus;
    std::vector<Event> events;
    UniqueFd running;  // "1" or "0" written here
    UniqueFd names;    // of threads the kernel traced last; may be none

    [[nodiscard]] Result<void> set_running(bool on) const;
    [[nodiscard]] std::vector<CpuLosses> losses() const;
    // The name of a thread that may be gone by now; empty: nobody knows.
    [[nodiscard]] std::string name_of(std::int32_t tid) const;
};

}  // namespace sla::linux
