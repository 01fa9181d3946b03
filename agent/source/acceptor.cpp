#include "agent/source/acceptor.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace sla::source {
namespace {

constexpr int kAcceptedAtOnce = 64;  // then others on this thread get a turn
constexpr auto kPause = std::chrono::milliseconds(100);
constexpr auto kQuietTime = std::chrono::seconds(10);  // without a shortage, before it is said to be over

int open_reserve() {
    return ::open("/dev/null", O_RDONLY | O_CLOEXEC);
}

}  // namespace

Acceptor::Acceptor(boost::asio::io_context& io, Hooks hooks) : hooks_(std::move(hooks)), socket_(io), pause_(io) {}

Acceptor::~Acceptor() {
    close();
}

Result<void> Acceptor::start(int listening) {
    boost::system::error_code error;
    socket_.assign(listening, error);
    if (error) {
        ::close(listening);
        return unavailable("cannot wait for " + hooks_.whom + ": " + error.message());
    }
    const int flags = ::fcntl(listening, F_GETFL);
    if (flags < 0 || ::fcntl(listening, F_SETFL, flags | O_NONBLOCK) < 0 || ::fcntl(listening, F_SETFD, FD_CLOEXEC) < 0) {
        return system_error("cannot prepare the socket for " + hooks_.whom, errno);
    }
    reserve_ = open_reserve();
    wait();
    return {};
}

void Acceptor::close() {
    boost::system::error_code ignored;
    if (socket_.is_open()) socket_.close(ignored);
    pause_.cancel(ignored);
    if (reserve_ >= 0) ::close(std::exchange(reserve_, -1));
}

void Acceptor::wait() {
    socket_.async_wait(boost::asio::posix::stream_descriptor::wait_read, [this](boost::system::error_code error) {
        if (error == boost::asio::error::operation_aborted || !socket_.is_open()) return;
        if (error) return back_off();
        accept_some();
    });
}

void Acceptor::accept_some() {
    for (int i = 0; i < kAcceptedAtOnce && socket_.is_open(); i++) {
        const Accepted accepted = accept_one();
        if (accepted == Accepted::kNobody) break;
        if (accepted == Accepted::kNothingLeft) return back_off();
    }
    if (socket_.is_open()) wait();
}

void Acceptor::accept_waiting() {
    while (socket_.is_open() && accept_one() == Accepted::kOne) {
    }
}

Acceptor::Accepted Acceptor::accept_one() {
    for (;;) {
        const int fd = ::accept4(socket_.native_handle(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
        if (fd >= 0) {
            note_recovery();
            hooks_.take(fd);
            return Accepted::kOne;
        }
        if (errno == EAGAIN || errno == EWOULDBLOCK) return Accepted::kNobody;
        if (errno == EINTR || errno == ECONNABORTED || errno == EPROTO) continue;  // gone again: the next one
        turn_away(errno);
        return Accepted::kNothingLeft;
    }
}

// The reserve's number is free for the moment of one accept.
void Acceptor::turn_away(int why) {
    last_shortage_ = std::chrono::steady_clock::now();
    if (!std::exchange(short_of_, true)) {
        hooks_.say(
            "cannot take " + hooks_.whom + " in: " + std::strerror(why) +
            ". They are turned away until that is over; ulimit -n (or LimitNOFILE=) says how many descriptors there are");
    }
    if (reserve_ >= 0) ::close(std::exchange(reserve_, -1));
    const int fd = ::accept4(socket_.native_handle(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (fd >= 0) {
        refused_++;
        hooks_.refuse(fd);
        ::close(fd);
    }
    reserve_ = open_reserve();
}

void Acceptor::back_off() {
    pause_.expires_after(kPause);
    pause_.async_wait([this](boost::system::error_code error) {
        if (!error && socket_.is_open()) accept_some();
    });
}

void Acceptor::note_recovery() {
    if (!short_of_ || std::chrono::steady_clock::now() - last_shortage_ < kQuietTime) return;
    short_of_ = false;
    hooks_.say(hooks_.whom + " are taken in again; " + std::to_string(std::exchange(refused_, 0)) + " were turned away");
}

}  // namespace sla::source
