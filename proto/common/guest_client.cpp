#include "proto/common/guest_client.h"

#include "proto/base/guest_socket.h"
#include "proto/base/process_stat.h"
#include "proto/base/text.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

namespace sla::common {

namespace {

constexpr std::size_t kLongestHead = 32;
constexpr std::size_t kMaxAnswer = std::size_t{8} << 20;  // sections whose counts are all different

// One that does not accept any more connections keeps who connects waiting.
constexpr timeval kLongestConnect{2, 0};

pid_t process_behind(int socket) {
    ucred peer{};
    socklen_t length = sizeof peer;
    return ::getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &length) == 0 ? peer.pid : 0;
}

Error refusal(std::string_view head, std::string text) {
    if (head.starts_with("no ")) return not_found(std::move(text));
    return head.starts_with("failed ") ? unavailable(std::move(text)) : invalid_input(std::move(text));
}

}  // namespace

bool is_stopped(pid_t process) {
    const auto stat = process_stat(process);
    return stat && stat->is_stopped();
}

Error stopped_error(pid_t process) {
    const std::string number = std::to_string(process);
    return unavailable("the emulated PC of process " + number +
                       " does not answer: its process is stopped (SIGSTOP, or a debugger); kill -CONT " + number +
                       " lets it go on");
}

Error GuestClient::run_ended() {
    is_over_ = true;
    return unavailable("the emulated PC's run has ended");
}

Result<GuestClient> GuestClient::connect(const std::string& path) {
    const auto address = socket_address(path);
    if (!address) return address.error();
    GuestClient client(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    if (client.socket_ < 0) return system_error("cannot make a socket", errno);
    ::setsockopt(client.socket_, SOL_SOCKET, SO_SNDTIMEO, &kLongestConnect, sizeof kLongestConnect);
    if (::connect(client.socket_, reinterpret_cast<const sockaddr*>(&*address), sizeof *address) == 0)
        return of(std::exchange(client.socket_, -1));
    if (errno == EAGAIN)
        return unavailable("what listens at " + path + " does not answer: others have waited for it for longer");
    if (errno == EACCES) return unavailable("the emulated PC at " + path + " belongs to somebody else");
    return not_found(system_error("no emulated PC listens at " + path, errno).message);
}

GuestClient GuestClient::of(int socket) {
    GuestClient client(socket);
    client.process_ = process_behind(socket);
    return client;
}

GuestClient::GuestClient(GuestClient&& other) noexcept
    : socket_(std::exchange(other.socket_, -1)),
      process_(other.process_),
      is_over_(other.is_over_),
      cancelled_(std::move(other.cancelled_)),
      hear_(std::move(other.hear_)) {}

GuestClient::~GuestClient() {
    if (socket_ >= 0) ::close(socket_);
}

Result<void> GuestClient::wait_for_more() {
    constexpr int kLook = 50;          // ms
    constexpr int kLooksAtOther = 10;  // whether it was stopped
    pollfd answered{socket_, POLLIN, 0};
    for (int look = 1; ::poll(&answered, 1, kLook) <= 0; ++look) {  // or a signal came, which may cancel it
        if (cancelled_ && cancelled_()) return unavailable("the emulated PC did not answer yet");
        if (look % kLooksAtOther != 0 || !is_stopped(process_)) continue;
        is_over_ = true;  // its answer would be taken for another one's
        return unavailable(stopped_error(process_).message + ", and then it does what it was asked");
    }
    return {};
}

Result<std::string> GuestClient::receive(std::size_t bytes) {
    std::string text(bytes, '\0');
    for (std::size_t done = 0; done < bytes;) {
        if (auto more = wait_for_more(); !more) return more.error();
        const ssize_t got = ::recv(socket_, text.data() + done, bytes - done, 0);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return run_ended();
        done += static_cast<std::size_t>(got);
    }
    return text;
}

Result<GuestClient::Part> GuestClient::receive_part() {
    std::string head;  // "ok 123"
    for (;;) {
        const auto byte = receive(1);
        if (!byte) return byte.error();
        if (*byte == "\n") break;
        head += *byte;
        if (head.size() > kLongestHead) return damaged(head);
    }
    const std::size_t space = std::min(head.find(' '), head.size());
    const auto bytes = whole_number<std::size_t>(trimmed(std::string_view(head).substr(space), " "));
    if (!bytes || *bytes > kMaxAnswer) return damaged(head);
    auto text = receive(*bytes);
    if (!text) return text.error();
    return Part{std::move(head), *std::move(text)};
}

Result<std::string> GuestClient::ask(std::string_view command) {
    if (command.find('\n') != std::string_view::npos) return invalid_input("a command is one line");
    if (is_stopped(process_)) return stopped_error(process_);
    const std::string request = std::string(command) + "\n";
    if (::send(socket_, request.data(), request.size(), MSG_NOSIGNAL) != static_cast<ssize_t>(request.size()))
        return run_ended();
    return answer();
}

Result<std::string> GuestClient::answer() {
    for (;;) {
        auto part = receive_part();
        if (!part) return part.error();
        if (!part->head.starts_with("note ")) {
            if (part->head.starts_with("ok ")) return std::move(part->text);
            return refusal(part->head, std::move(part->text));
        }
        if (hear_) hear_(part->text);
    }
}

}  // namespace sla::common
