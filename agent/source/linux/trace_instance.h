// A trace of our own inside the kernel: a tracefs instance, apart from any other tracing on the machine.
//
// Named after its process (pid and start time), so that a later agent can sweep away what a killed one left behind. Gone
// with this object; every descriptor opened inside it must be closed before.
#pragma once

#include "agent/source/linux/event_format.h"
#include "agent/source/linux/event_selection.h"
#include "agent/source/linux/unique_fd.h"
#include "proto/base/result.h"

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace sla::source {

// What the kernel lost on one CPU since the instance was made, beyond what its pages tell.
struct CpuLosses {
    std::uint64_t overrun = 0;         // overwritten before they were read
    std::uint64_t commit_overrun = 0;  // an interrupt's events, with a buffer full of unfinished ones
    std::uint64_t dropped = 0;
    bool operator==(const CpuLosses&) const = default;
};
// From the text of a per_cpu/cpuN/stats file.
CpuLosses parse_cpu_losses(std::string_view stats);

class TraceInstance {
public:
    // `tracefs`: where it is mounted. Time stamps are raw TSC. `bytes_per_cpu`: of the kernel's buffer.
    static Result<std::unique_ptr<TraceInstance>> create(const std::string& tracefs, std::uint64_t bytes_per_cpu);
    // Removes instances whose process is gone; gives how many.
    static std::size_t sweep(const std::string& tracefs);
    ~TraceInstance();
    TraceInstance(const TraceInstance&) = delete;
    TraceInstance& operator=(const TraceInstance&) = delete;

    // Switches the events on, with their filters; gives their formats. A group's event that this kernel has not is left out;
    // a typed one is an error, as is an event list that ends up empty.
    Result<std::vector<EventFormat>> enable(const std::vector<SelectedEvent>& events);
    // Only these processes, and the children they will have.
    Result<void> follow(const std::vector<pid_t>& pids);
    Result<void> set_running(bool running);

    [[nodiscard]] std::vector<int> cpus() const;
    // For read() of whole sub-buffers, without blocking.
    Result<UniqueFd> open_cpu(int cpu) const;
    [[nodiscard]] std::size_t page_bytes() const { return page_bytes_; }
    [[nodiscard]] CpuLosses losses(int cpu) const;
    [[nodiscard]] const std::string& path() const { return path_; }

private:
    explicit TraceInstance(std::string path) : path_(std::move(path)) {}
    Result<void> set_up(std::uint64_t bytes_per_cpu);
    Result<EventFormat> enable_one(const SelectedEvent& event);
    Result<void> write_pids(const std::string& file, const std::vector<pid_t>& pids);

    std::string path_;
    std::size_t page_bytes_ = 4096;
};

}  // namespace sla::source
