#include "agent/daemon/shots/guest_stops.h"

#include "proto/base/guest_socket.h"
#include "proto/base/runtime_dir.h"
#include "proto/common/guest_client.h"
#include "proto/time/duration.h"
#include "proto/time/tick_clock.h"

#include <fmt/format.h>

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <string_view>
#include <system_error>
#include <utility>

namespace sla::daemon {

namespace {

constexpr std::string_view kRequest = "pause\n";
constexpr std::chrono::seconds kLongestWait{5};

std::string in_words(int error) {
    return std::generic_category().message(error);
}

// Connects and asks without waiting; nothing, or what went wrong.
std::string ask(std::uint32_t pid, int& asked) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const std::string leaf = guest_socket_leaf(std::to_string(pid));
    if (sla_runtime_path(address.sun_path, sizeof address.sun_path, leaf.c_str()) < 0)
        return "its socket's path is too long";
    const int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (socket < 0) return in_words(errno);
    const bool sent =
        ::connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 &&
        ::send(socket, kRequest.data(), kRequest.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(kRequest.size());
    if (!sent) {
        const int failed = errno;
        ::close(socket);
        return in_words(failed) + " at " + address.sun_path;
    }
    asked = socket;
    return "";
}

std::string who(const EmulatedPc& pc) {
    return pc.elsewhere.empty() ? fmt::format("the emulated PC of process {}", pc.pid) : "the emulated PC " + pc.elsewhere;
}

std::string first_line(const std::string& text) {
    return text.substr(0, text.find('\n'));
}

}  // namespace

GuestStops::~GuestStops() {
    {
        const std::lock_guard lock(mutex_);
        finishing_ = true;
    }
    changed_.notify_all();
    if (thread_.joinable()) thread_.join();
    for (const Asked& asked : waiting_) {
        if (asked.socket >= 0) ::close(asked.socket);
    }
}

void GuestStops::stop(const wire::Shot& shot, const std::vector<EmulatedPc>& pcs) {
    std::vector<Asked> all;
    for (const EmulatedPc& pc : pcs) {
        Asked asked{-1, pc, shot.trigger_name(), shot.tick(), ""};
        asked.pc.own_clock |= shot.time_source() != 0;
        const std::string why = pc.elsewhere.empty() ? ask(pc.pid, asked.socket) : "it lives in another pid namespace";
        if (!why.empty()) asked.problem = who(pc) + " could not be asked: " + why;
        all.push_back(std::move(asked));
    }
    if (all.empty()) all.push_back({-1, {}, shot.trigger_name(), 0, "no emulated PC is attached"});
    const std::lock_guard lock(mutex_);
    for (Asked& asked : all) {
        if (waiting_.size() < kMaxWaiting) {
            waiting_.push_back(std::move(asked));
            continue;
        }
        if (asked.socket >= 0) {
            ::close(asked.socket);
            asked.problem = who(asked.pc) + " was asked; too many answers are waited for to wait for this one";
        }
        say_("stop-guest of trigger " + asked.trigger + ": " + asked.problem);
    }
    try {
        if (!thread_.joinable()) thread_ = std::thread([this] { run(); });
    } catch (const std::system_error&) {
        say_("stop-guest of trigger " + shot.trigger_name() + ": asked; no thread to wait for the answers");
    }
    changed_.notify_all();
}

void GuestStops::run() {
    std::unique_lock lock(mutex_);
    for (;;) {
        changed_.wait(lock, [this] { return finishing_ || !waiting_.empty(); });
        if (finishing_) return;
        const Asked asked = std::move(waiting_.front());
        waiting_.pop_front();
        lock.unlock();
        say_("stop-guest of trigger " + asked.trigger + ": " + outcome(asked));
        lock.lock();
    }
}

// Waits no longer than kLongestWait, nor once we end.
Result<std::string> GuestStops::answer_at(int socket) {
    const auto until = std::chrono::steady_clock::now() + kLongestWait;
    common::GuestClient guest = common::GuestClient::of(socket);
    guest.wait_unless([this, until] {
        const std::lock_guard lock(mutex_);
        return finishing_ || std::chrono::steady_clock::now() >= until;
    });
    return guest.answer();
}

std::string GuestStops::outcome(const Asked& asked) {
    if (asked.socket < 0) return asked.problem;
    const Result<std::string> answer = answer_at(asked.socket);
    const std::uint64_t now = time::read_stamp();
    if (!answer) return who(asked.pc) + " did not say that it stopped: " + answer.error().message;
    const std::string stands = first_line(*answer);
    if (asked.pc.own_clock || now < asked.tick) return who(asked.pc) + ": " + stands;
    const double late_ps = static_cast<double>(now - asked.tick) / ticks_per_second_() * 1e12;
    return fmt::format("{}: {}; at most {} late", who(asked.pc), stands,
                       time::format_duration(static_cast<std::int64_t>(late_ps)));
}

}  // namespace sla::daemon
