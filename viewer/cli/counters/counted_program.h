// A program whose events are counted while it runs, for `sla counters log`: one we start, or one that runs already. Its host
// events come from the kernel; those of an emulated PC from its control socket, and behind its end from the file it leaves.
//
// One owner, one thread. A program that we started is ended with it.
#pragma once

#include "viewer/cli/counters/counters.h"
#include "viewer/cli/counters/run_directory.h"
#include "viewer/counters/guest_control.h"
#include "viewer/process/child.h"

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace sla::cli {

// In the order of the events; nothing: not known.
using EventCounts = std::vector<std::optional<std::uint64_t>>;

class CountedProgram {
public:
    // Lies in memory, and runs from begin() on.
    static Result<CountedProgram> prepare(const CountersOptions& options);
    static Result<CountedProgram> attach(std::uint32_t process, const CountersOptions& options);
    CountedProgram(CountedProgram&& other) noexcept;
    CountedProgram& operator=(CountedProgram&&) = delete;
    ~CountedProgram();

    [[nodiscard]] const std::vector<counters::Event>& events() const { return events_; }
    Result<void> begin();
    [[nodiscard]] Result<EventCounts> at_start();
    // True: it has ended, or we were asked to stop.
    bool wait_until(std::chrono::steady_clock::time_point when);
    [[nodiscard]] Result<EventCounts> read(bool ended);
    // On stderr, when it went wrong.
    void tell_ending();

private:
    CountedProgram(const CountersOptions& options, std::vector<counters::Event> events)
        : options_(options), events_(std::move(events)) {}
    Result<void> count_host(pid_t process);
    Result<void> add_guest(bool ended, EventCounts& counts);
    Result<void> add_left_counts(EventCounts& counts) const;
    bool attached_has_ended(std::chrono::milliseconds timeout) const;

    const CountersOptions& options_;
    std::vector<counters::Event> events_;
    std::vector<std::size_t> host_events_;  // which of them
    std::optional<RunDirectory> directory_;
    std::optional<process::Child> child_;
    std::optional<process::Ending> ending_;
    pid_t process_ = 0;
    int process_fd_ = -1;  // of one that ran already; readable when it has ended
    std::optional<counters::HostCounters> host_;
    std::unique_ptr<counters::GuestControl> guest_;
    bool asks_guest_ = false;
    bool models_ = false;
};

}  // namespace sla::cli
