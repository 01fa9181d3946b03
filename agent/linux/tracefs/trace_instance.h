// A trace of our own inside the kernel: a tracefs instance, apart from any other tracing on the machine.
//
// Named after its process (pid and start time), so that a later agent can sweep away what a killed one left behind. Gone
// with this object; every descriptor opened inside it must be closed before.
#pragma once

#include "agent/linux/tracefs/event_selection.h"
#include "agent/linux/tracefs/opened_trace.h"
#include "agent/linux/unique_fd.h"
#include "proto/base/result.h"

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace sla::linux {

class TraceInstance {
public:
    // `tracefs`: where it is mounted. Time stamps are raw TSC. `bytes_per_cpu`: of the kernel's buffer.
    static Result<std::unique_ptr<TraceInstance>> create(const std::string& tracefs, std::uint64_t bytes_per_cpu);
    // Removes instances whose process is gone; gives how many.
    static std::size_t sweep(const std::string& tracefs);
    ~TraceInstance();
    TraceInstance(const TraceInstance&) = delete;
    TraceInstance& operator=(const TraceInstance&) = delete;

    // Switches the events on, with their filters; gives them with the texts of their formats. A group's event that this
    // kernel has not is left out; a typed one is an error, as is an event list that ends up empty.
    Result<std::vector<OpenedTrace::Event>> enable(const std::vector<SelectedEvent>& events);
    // Only these processes, and the children they will have.
    Result<void> follow(const std::vector<pid_t>& pids);
    Result<void> set_running(bool running);
    // Every descriptor that a reader needs.
    Result<void> open_for_reading(OpenedTrace& opened) const;
    [[nodiscard]] const std::string& path() const { return path_; }

private:
    explicit TraceInstance(std::string path) : path_(std::move(path)) {}
    [[nodiscard]] std::vector<int> cpus() const;
    Result<void> set_up(std::uint64_t bytes_per_cpu);
    Result<OpenedTrace::Event> enable_one(const SelectedEvent& event);

    std::string path_;
    std::size_t page_bytes_ = 4096;
    std::uint64_t buffer_bytes_ = 0;
};

}  // namespace sla::linux
