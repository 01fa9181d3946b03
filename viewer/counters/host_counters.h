// This machine's counters, of a process and what it starts, through perf_event_open: the kernel counts, we read.
//
// Owned by one thread. Counters that do not all fit on the processor share it: the kernel then says for how long each was on,
// and what it read is scaled up; Reading says so.
#pragma once

#include "viewer/counters/event.h"
#include "viewer/counters/reading.h"

#include <sys/types.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace sla::counters {

enum class Privilege : std::uint8_t { kUser, kKernel, kBoth };

// Why this machine cannot count it: "not present: ...", "no permission: ..."; empty: it can.
std::string absence_of(const Event& event, Privilege privilege);
// The fraction of these hardware events, from the first one on, that fit on the processor at a time; at least one.
std::size_t fitting(std::span<const Event> events, Privilege privilege);

class HostCounters {
public:
    // Counts from now on: of this process, the threads it has, and all that these start. A thread whose counters are not there yet
    // may start another one in that moment: that one is not counted. Nothing tells it from those that are, as their starters'
    // counters count them.
    static Result<HostCounters> open(std::span<const Event> events, pid_t process, Privilege privilege);
    HostCounters(HostCounters&& other) noexcept : counters_(std::move(other.counters_)) { other.counters_.clear(); }
    HostCounters& operator=(HostCounters&&) = delete;
    ~HostCounters();

    // In the order of the events. Also when the process has ended.
    [[nodiscard]] Result<std::vector<Reading>> read() const;

private:
    HostCounters() = default;

    std::vector<std::vector<int>> counters_;  // descriptors of each event, one for each thread there was
};

}  // namespace sla::counters
