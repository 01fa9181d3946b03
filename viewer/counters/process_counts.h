// What is counted of one process that runs: host events by the kernel, those of an emulated PC at its control socket.
//
// Owned by one thread. The kernel counts from the moment this is made, an emulated PC since its power-on: only differences
// of two readings mean anything. Each asks the PC by a connection of its own, so that one that was cut short leaves nothing.
#pragma once

#include "viewer/counters/guest_control.h"
#include "viewer/counters/host_counters.h"
#include "viewer/counters/intervals.h"

#include <sys/types.h>

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace sla::counters {

// Why it cannot be counted: of the host not present here, of the Pentium not offered; empty: it can.
std::string absence_in_process(const Event& event, Privilege privilege);

class ProcessCounts {
public:
    enum class Guest : std::uint8_t {
        kIsThere,  // an emulated PC that cannot be asked is an error
        kComes,    // the process is about to begin: its events are not known until it listens
    };
    static Result<ProcessCounts> open(pid_t process, std::vector<Event> events, Privilege privilege, Guest guest);
    ProcessCounts(ProcessCounts&& other) noexcept;
    ProcessCounts& operator=(ProcessCounts&&) = delete;
    ~ProcessCounts();

    // An emulated PC that does not answer is waited for until that is true; then its events are not known.
    void wait_unless(std::function<bool()> cancelled) { cancelled_ = std::move(cancelled); }

    [[nodiscard]] const std::vector<Event>& events() const { return events_; }
    // Of a process that has ended: its host events to the end; what its guest counted last is not known.
    [[nodiscard]] Result<EventReadings> read();
    [[nodiscard]] Result<EventReadings> read_host() const;
    // What its emulated PC was asked for and does not count, as one sentence; "": it counts everything, or was not asked yet.
    [[nodiscard]] std::string not_counted() const;
    // Waits so long for its end.
    [[nodiscard]] bool has_ended(std::chrono::milliseconds timeout) const;

private:
    ProcessCounts(pid_t process, std::vector<Event> events) : process_(process), events_(std::move(events)) {}
    Result<void> count_host(Privilege privilege);
    Result<void> add_guest(EventReadings& readings);
    [[nodiscard]] Result<GuestCounts> ask_guest(GuestControl& guest);
    [[nodiscard]] std::vector<Event> missing_in(const GuestCounts& counts) const;

    pid_t process_;
    std::vector<Event> events_;
    std::vector<std::size_t> host_events_;  // which of them
    int process_fd_ = -1;                   // readable when it has ended
    std::optional<HostCounters> host_;
    std::function<bool()> cancelled_;
    bool guest_answered_ = false;
    bool asks_guest_ = false;
    bool counts_all_ = false;         // what is not counted unless somebody asks for it is asked for
    std::vector<Event> not_counted_;  // all the same
};

}  // namespace sla::counters
