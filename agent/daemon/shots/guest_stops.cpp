#include "agent/daemon/shots/guest_stops.h"

#include "proto/base/guest_socket.h"
#include "proto/base/runtime_dir.h"
#include "proto/time/duration.h"
#include "proto/time/tick_clock.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <system_error>
#include <utility>

namespace sla::daemon {

namespace {

constexpr std::string_view kRequest = "pause\n";
constexpr int kLongestWaitMs = 5000;

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

// "ok BYTES\n" and the text; the first line of it.
std::string first_line(int socket) {
    std::string text;
    std::array<char, 512> bytes{};
    while (text.size() < 4096) {
        const std::size_t head = text.find('\n');
        const std::size_t line = head == std::string::npos ? head : text.find('\n', head + 1);
        if (line != std::string::npos) return text.starts_with("ok ") ? text.substr(head + 1, line - head - 1) : "";
        pollfd readable{socket, POLLIN, 0};
        if (::poll(&readable, 1, kLongestWaitMs) != 1) break;
        const ssize_t got = ::recv(socket, bytes.data(), bytes.size(), 0);
        if (got <= 0) break;
        text.append(bytes.data(), static_cast<std::size_t>(got));
    }
    return "";
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
        asked.problem = ask(pc.pid, asked.socket);
        all.push_back(std::move(asked));
    }
    if (all.empty()) all.push_back({-1, {}, shot.trigger_name(), 0, "no emulated PC is attached"});
    const std::lock_guard lock(mutex_);
    for (Asked& asked : all) {
        if (waiting_.size() < kMaxWaiting) {
            waiting_.push_back(std::move(asked));
            continue;
        }
        if (asked.socket >= 0) ::close(asked.socket);
        const std::string what = asked.problem.empty() ? "asked; too many answers are waited for to wait for this one"
                                                       : "could not be asked: " + asked.problem;
        say_("stop-guest of trigger " + asked.trigger + ": " + what);
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
        if (asked.socket >= 0) ::close(asked.socket);
        lock.lock();
    }
}

std::string GuestStops::outcome(const Asked& asked) const {
    if (asked.pc.pid == 0) return asked.problem;
    const std::string who = fmt::format("the emulated PC of process {}", asked.pc.pid);
    if (!asked.problem.empty()) return who + " could not be asked: " + asked.problem;
    const std::string answer = first_line(asked.socket);
    const std::uint64_t now = time::read_stamp();
    if (answer.empty()) return who + " did not say that it stopped";
    if (asked.pc.own_clock || now < asked.tick) return who + ": " + answer;
    const double late_ps = static_cast<double>(now - asked.tick) / ticks_per_second_() * 1e12;
    return fmt::format("{}: {}; at most {} late", who, answer, time::format_duration(static_cast<std::int64_t>(late_ps)));
}

}  // namespace sla::daemon
