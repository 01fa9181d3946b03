#include "viewer/counters/guest_control.h"

#include "proto/base/guest_socket.h"
#include "proto/base/runtime_dir.h"
#include "proto/base/text.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <filesystem>
#include <system_error>
#include <utility>

namespace sla::counters {

namespace {

constexpr std::size_t kMaxAnswer = std::size_t{8} << 20;  // sections whose counts are all different

Error run_ended() {
    return unavailable("the emulated PC's run has ended");
}

Error no_answer() {
    return unavailable("what listens there does not answer as sla-emu does: is another version installed beside this one?");
}

Error no_counts() {
    return unavailable("what listens there answers no counts: is another version of sla-emu installed beside this one?");
}

template <typename Number>
bool take_number(std::string_view& text, Number& number, int base, char behind) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
    const auto length = static_cast<std::size_t>(end - text.data());
    if (error != std::errc() || length == text.size() || *end != behind) return false;
    text.remove_prefix(length + 1);
    return true;
}

}  // namespace

Result<GuestCounts> parse_guest_counts(std::string_view text) {
    constexpr std::uint32_t kEvents = 0x40;
    GuestCounts out;
    while (!text.empty()) {
        std::uint32_t select = 0;
        std::uint64_t count = 0;
        if (!take_number(text, select, 16, ' ') || select >= kEvents) return no_counts();
        const std::size_t how = text.find(' ');
        if (how == std::string_view::npos) return no_counts();
        text.remove_prefix(how + 1);
        if (!take_number(text, count, 10, '\n')) return no_counts();
        out[select] = count;
    }
    return out;
}

Result<GuestControl> GuestControl::connect(pid_t process) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const std::string leaf = guest_socket_leaf(std::to_string(process));
    if (sla_runtime_path(address.sun_path, sizeof address.sun_path, leaf.c_str()) < 0)
        return unavailable("the runtime directory's path is too long for a socket; set SLA_RUNTIME_DIR to a shorter one");
    GuestControl out(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    if (out.socket_ < 0) return system_error("cannot make a socket", errno);
    if (::connect(out.socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) return out;
    return not_found("process " + std::to_string(process) + " is no emulated PC that can be asked: nobody listens at " +
                     address.sun_path);
}

GuestControl::GuestControl(GuestControl&& other) noexcept
    : socket_(std::exchange(other.socket_, -1)), cancelled_(std::move(other.cancelled_)) {}

GuestControl::~GuestControl() {
    if (socket_ >= 0) close(socket_);
}

Result<std::string> GuestControl::receive(std::size_t bytes) {
    std::string text(bytes, '\0');
    for (std::size_t done = 0; done < bytes;) {
        constexpr int kLook = 50;  // ms
        pollfd answered{socket_, POLLIN, 0};
        while (cancelled_ && poll(&answered, 1, kLook) == 0) {
            if (cancelled_()) return unavailable("the emulated PC did not answer yet");
        }
        const ssize_t got = recv(socket_, text.data() + done, bytes - done, 0);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return run_ended();
        done += static_cast<std::size_t>(got);
    }
    return text;
}

Result<GuestCounts> GuestControl::counts(bool models) {
    const auto text = ask(models ? "counts all" : "counts");
    if (!text.ok()) return text.error();
    return parse_guest_counts(*text);
}

Result<std::string> GuestControl::ask(std::string_view command) {
    const std::string request = std::string(command) + "\n";
    if (send(socket_, request.data(), request.size(), MSG_NOSIGNAL) != static_cast<ssize_t>(request.size()))
        return run_ended();
    std::string head;  // "ok 123"
    while (!head.ends_with('\n')) {
        const auto byte = receive(1);
        if (!byte.ok()) return byte.error();
        head += *byte;
        if (head.size() > 32) return no_answer();
    }
    std::string_view rest = head;
    const bool good = rest.starts_with("ok ");
    rest.remove_prefix(std::min(rest.find(' '), rest.size() - 1) + 1);
    std::size_t bytes = 0;
    if (!take_number(rest, bytes, 10, '\n') || bytes > kMaxAnswer) return no_answer();
    auto text = receive(bytes);
    if (!text.ok() || good) return text;
    return invalid_input(*text);
}

std::vector<pid_t> running_guests() {
    std::vector<pid_t> found;
    sockaddr_un address{};
    if (sla_runtime_path(address.sun_path, sizeof address.sun_path, nullptr) < 0) return found;
    std::error_code failed;
    for (const auto& entry : std::filesystem::directory_iterator(address.sun_path, failed)) {
        const std::string name = entry.path().filename().string();
        const std::string_view number = guest_of_socket_leaf(name).value_or("");
        const auto process = whole_number<pid_t>(number);
        if (process && GuestControl::connect(*process).ok()) found.push_back(*process);
    }
    std::sort(found.begin(), found.end());
    return found;
}

}  // namespace sla::counters
