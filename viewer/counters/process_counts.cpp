#include "viewer/counters/process_counts.h"

#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <utility>

namespace sla::counters {

namespace {

constexpr std::chrono::milliseconds kUntilGone(5000);

bool is_of_guest(const Event& event) {
    return event.world == World::kPentium;
}

}  // namespace

std::string absence_in_process(const Event& event, Privilege privilege) {
    if (event.world == World::kHost) return absence_of(event, privilege);
    const bool offered = common::pentium_events()[event.select].offer != common::Offer::kNotOffered;
    return offered ? "" : "not offered by the emulated PC";
}

Result<ProcessCounts> ProcessCounts::open(pid_t process, std::vector<Event> events, Privilege privilege, Guest guest) {
    ProcessCounts out(process, std::move(events));
    out.process_fd_ = static_cast<int>(syscall(SYS_pidfd_open, process, 0));
    if (out.process_fd_ < 0 && errno == ESRCH) return not_found("there is no process " + std::to_string(process));
    if (out.process_fd_ < 0) return system_error("cannot watch process " + std::to_string(process), errno);
    out.asks_guest_ = std::any_of(out.events_.begin(), out.events_.end(), is_of_guest);
    if (out.asks_guest_ && guest == Guest::kIsThere) {
        auto there = GuestControl::connect(process);
        if (!there.ok()) return there.error();
        out.guest_answered_ = true;
    }
    if (auto counted = out.count_host(privilege); !counted.ok()) return counted.error();
    return out;
}

ProcessCounts::ProcessCounts(ProcessCounts&& other) noexcept
    : process_(other.process_),
      events_(std::move(other.events_)),
      host_events_(std::move(other.host_events_)),
      process_fd_(std::exchange(other.process_fd_, -1)),
      host_(std::move(other.host_)),
      cancelled_(std::move(other.cancelled_)),
      guest_answered_(other.guest_answered_),
      asks_guest_(other.asks_guest_),
      counts_all_(other.counts_all_),
      not_counted_(std::move(other.not_counted_)) {}

ProcessCounts::~ProcessCounts() {
    if (process_fd_ >= 0) close(process_fd_);
}

Result<void> ProcessCounts::count_host(Privilege privilege) {
    std::vector<Event> of_host;
    for (std::size_t i = 0; i < events_.size(); ++i) {
        if (events_[i].world != World::kHost) continue;
        host_events_.push_back(i);
        of_host.push_back(events_[i]);
    }
    auto opened = HostCounters::open(of_host, process_, privilege);
    if (!opened.ok()) return opened.error();
    host_.emplace(std::move(*opened));
    return {};
}

bool ProcessCounts::has_ended(std::chrono::milliseconds timeout) const {
    pollfd ended{process_fd_, POLLIN, 0};
    return ::poll(&ended, 1, static_cast<int>(timeout.count())) == 1;
}

Result<EventReadings> ProcessCounts::read_host() const {
    EventReadings out(events_.size());
    const auto readings = host_->read();
    if (!readings.ok()) return readings.error();
    for (std::size_t i = 0; i < host_events_.size(); ++i) out[host_events_[i]] = (*readings)[i];
    return out;
}

Result<EventReadings> ProcessCounts::read() {
    auto out = read_host();
    if (!out.ok()) return out;
    if (auto asked = add_guest(*out); !asked.ok()) return asked.error();
    return out;
}

std::vector<Event> ProcessCounts::missing_in(const GuestCounts& counts) const {
    std::vector<Event> out;
    std::copy_if(events_.begin(), events_.end(), std::back_inserter(out),
                 [&](const Event& event) { return is_of_guest(event) && !counts.contains(event.select); });
    return out;
}

// What costs the PC something is asked for where it is wanted.
Result<GuestCounts> ProcessCounts::ask_guest(GuestControl& guest) {
    auto now = guest.counts(counts_all_);
    if (now.ok() && !counts_all_ && !missing_in(*now).empty()) {
        counts_all_ = true;
        now = guest.counts(true);
    }
    if (now.ok()) not_counted_ = missing_in(*now);
    return now;
}

std::string ProcessCounts::not_counted() const {
    std::string names;
    for (const Event& event : not_counted_) names += (names.empty() ? "" : ", ") + event.name();
    return names.empty() ? "" : "the CPU of the emulated PC does not count " + names + "; --cpu x86emu does";
}

Result<void> ProcessCounts::add_guest(EventReadings& readings) {
    if (!asks_guest_) return {};
    auto guest = GuestControl::connect(process_);
    if (!guest.ok() && !guest_answered_) return {};  // it does not listen yet
    guest_answered_ = true;
    if (guest.ok() && cancelled_) guest->wait_unless(cancelled_);
    const auto now = guest.ok() ? ask_guest(*guest) : Result<GuestCounts>(guest.error());
    if (!now.ok() && cancelled_ && cancelled_()) return {};
    // A PC that ends closes its socket some moments before its process is gone.
    if (!now.ok()) return has_ended(kUntilGone) ? Result<void>() : now.error();
    for (std::size_t i = 0; i < events_.size(); ++i) {
        const auto found = is_of_guest(events_[i]) ? now->find(events_[i].select) : now->end();
        if (found != now->end()) readings[i] = Reading{found->second};
    }
    return {};
}

}  // namespace sla::counters
