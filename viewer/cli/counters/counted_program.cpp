#include "viewer/cli/counters/counted_program.h"

#include "viewer/cli/interrupt.h"
#include "viewer/counters/counts_file.h"
#include "viewer/process/programs.h"

#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <utility>

namespace sla::cli {

using counters::Event;
using counters::World;
using std::chrono::milliseconds;

namespace {

constexpr milliseconds kUntilGone(5000);

bool has_guest_events(const std::vector<Event>& events) {
    return std::any_of(events.begin(), events.end(), [](const Event& event) { return event.world == World::kPentium; });
}

// Without a list: all that can be counted. With one: what cannot is an error.
Result<std::vector<Event>> events_to_log(const CountersOptions& options) {
    auto events = options.chosen_events();
    if (!events.ok()) return events.error();
    std::vector<Event> out;
    for (Event& event : *events) {
        const bool is_host = event.world == World::kHost;
        const std::string absence = is_host ? counters::absence_of(event, options.rings()) : "";
        const bool offered = is_host || common::pentium_events()[event.select].offer != common::Offer::kNotOffered;
        if (absence.empty() && offered) {
            out.push_back(std::move(event));
        } else if (!options.events.empty()) {
            return unavailable(event.name() + ": " + (offered ? absence : "not offered by the emulated PC"));
        }
    }
    if (out.empty()) return unavailable("no event can be counted here; `sla counters list` tells why");
    if (has_guest_events(out) && options.privilege != "both")
        return invalid_input(
            "--privilege is for this machine's events here; those of a guest that runs are of all its rings");
    return out;
}

// The models must run for it.
bool is_of_models(const Event& event) {
    constexpr std::uint32_t kCodeRead = 0x0C;
    if (event.world != World::kPentium) return false;
    return event.select == kCodeRead || common::pentium_events()[event.select].offer == common::Offer::kModelled;
}

}  // namespace

Result<CountedProgram> CountedProgram::prepare(const CountersOptions& options) {
    auto events = events_to_log(options);
    if (!events.ok()) return events.error();
    CountedProgram out(options, std::move(*events));
    auto directory = RunDirectory::make();
    if (!directory.ok()) return directory.error();
    out.directory_.emplace(std::move(*directory));
    process::ChildOptions how = counted_child(options, *out.directory_);
    how.output.clear();
    if (options.output.path.empty() || options.output.path == "-") how.output = out.directory_->printed();
    out.asks_guest_ = has_guest_events(out.events_);
    if (out.asks_guest_ && !options.of_guest())
        return invalid_input("events of the emulated Pentium are counted in the emulated PC: -- sla-emu run IMAGE");
    auto child = process::Child::start(how);
    if (!child.ok()) return child.error();
    out.child_.emplace(std::move(*child));
    out.process_ = out.child_->pid();
    if (auto counted = out.count_host(out.process_); !counted.ok()) return counted.error();
    return out;
}

Result<CountedProgram> CountedProgram::attach(std::uint32_t process, const CountersOptions& options) {
    auto events = events_to_log(options);
    if (!events.ok()) return events.error();
    CountedProgram out(options, std::move(*events));
    out.process_ = static_cast<pid_t>(process);
    out.process_fd_ = static_cast<int>(syscall(SYS_pidfd_open, out.process_, 0));
    if (out.process_fd_ < 0) return not_found("there is no process " + std::to_string(process));
    out.asks_guest_ = has_guest_events(out.events_);
    out.models_ = std::any_of(out.events_.begin(), out.events_.end(), is_of_models);
    if (out.asks_guest_) {
        auto guest = counters::GuestControl::connect(out.process_);
        if (!guest.ok()) return guest.error();
        out.guest_ = std::make_unique<counters::GuestControl>(std::move(*guest));
    }
    if (auto counted = out.count_host(out.process_); !counted.ok()) return counted.error();
    return out;
}

CountedProgram::CountedProgram(CountedProgram&& other) noexcept
    : options_(other.options_),
      events_(std::move(other.events_)),
      host_events_(std::move(other.host_events_)),
      directory_(std::move(other.directory_)),
      child_(std::move(other.child_)),
      ending_(other.ending_),
      process_(other.process_),
      process_fd_(std::exchange(other.process_fd_, -1)),
      host_(std::move(other.host_)),
      guest_(std::move(other.guest_)),
      asks_guest_(other.asks_guest_),
      models_(other.models_) {}

CountedProgram::~CountedProgram() {
    if (process_fd_ >= 0) close(process_fd_);
}

Result<void> CountedProgram::count_host(pid_t process) {
    std::vector<Event> of_host;
    for (std::size_t i = 0; i < events_.size(); ++i) {
        if (events_[i].world != World::kHost) continue;
        host_events_.push_back(i);
        of_host.push_back(events_[i]);
    }
    auto opened = counters::HostCounters::open(of_host, process, options_.rings());
    if (!opened.ok()) return opened.error();
    host_.emplace(std::move(*opened));
    return {};
}

Result<void> CountedProgram::begin() {
    return child_ ? child_->release() : Result<void>();
}

// Of a program that is about to begin everything is 0.
Result<EventCounts> CountedProgram::at_start() {
    if (!child_) return read(false);
    return EventCounts(events_.size(), 0);
}

bool CountedProgram::wait_until(std::chrono::steady_clock::time_point when) {
    for (;;) {
        const auto left = std::chrono::ceil<milliseconds>(when - std::chrono::steady_clock::now());
        const auto some = std::clamp(left, milliseconds(0), milliseconds(100));
        if (child_) {
            ending_ = child_->wait(some);
            if (ending_) return true;
            if (interrupted() != 0) {
                child_->signal(interrupted());
                ending_ = child_->wait(std::chrono::seconds(5));
                if (!ending_) child_->signal(SIGKILL);
                while (!ending_) ending_ = child_->wait(milliseconds(100));
                return true;
            }
        } else if (attached_has_ended(some) || interrupted() != 0) {
            return true;
        }
        if (left <= milliseconds(0)) return false;
    }
}

bool CountedProgram::attached_has_ended(milliseconds timeout) const {
    pollfd ended{process_fd_, POLLIN, 0};
    return poll(&ended, 1, static_cast<int>(timeout.count())) == 1;
}

Result<EventCounts> CountedProgram::read(bool ended) {
    EventCounts out(events_.size());
    const auto readings = host_->read();
    if (!readings.ok()) return readings.error();
    for (std::size_t i = 0; i < host_events_.size(); ++i) out[host_events_[i]] = (*readings)[i].value;
    if (auto asked = add_guest(ended, out); !asked.ok()) return asked.error();
    return out;
}

// One that just begins does not listen yet, one that just ended does no more: then nothing is known, for now or for good.
Result<void> CountedProgram::add_guest(bool ended, EventCounts& counts) {
    if (!asks_guest_) return {};
    if (ended && child_) return add_left_counts(counts);
    if (guest_ == nullptr) {
        auto guest = counters::GuestControl::connect(process_);
        if (!guest.ok()) return {};
        guest_ = std::make_unique<counters::GuestControl>(std::move(*guest));
    }
    const auto now = guest_->counts(models_);
    // A PC that ends closes its socket some moments before its process is gone.
    if (!now.ok()) return child_ || attached_has_ended(kUntilGone) ? Result<void>() : now.error();
    for (std::size_t i = 0; i < events_.size(); ++i) {
        const auto found = events_[i].world == World::kPentium ? now->find(events_[i].select) : now->end();
        if (found != now->end()) counts[i] = found->second;
    }
    return {};
}

Result<void> CountedProgram::add_left_counts(EventCounts& counts) const {
    if (!directory_->has_counts()) return {};
    counters::SectionTable table;
    if (auto added = counters::add_counts(directory_->read_counts(), events_, table); !added.ok()) return added;
    for (const counters::Row& row : table.rows()) {
        for (std::size_t i = 0; i < events_.size(); ++i) {
            if (row.section != "program" || row.event != events_[i].name() || row.numbers.n == 0) continue;
            counts[i] = static_cast<std::uint64_t>(row.numbers.max);
        }
    }
    return {};
}

void CountedProgram::tell_ending() {
    if (!ending_ || ending_->code == 0 || interrupted() != 0) return;
    const std::string said = directory_->last_words();
    warn(options_.program[0] + " " + ending_->text() + (said.empty() ? "" : "; it says: " + said));
}

}  // namespace sla::cli
