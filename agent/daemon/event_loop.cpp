#include "agent/daemon/event_loop.h"

#include <boost/asio/steady_timer.hpp>

#include <sys/signalfd.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <utility>

namespace sla::daemon {
namespace {

constexpr auto kLongestWait = std::chrono::milliseconds(250);

sigset_t watched_signals() {
    sigset_t watched;
    sigemptyset(&watched);
    for (const int number : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&watched, number);
    return watched;
}

}  // namespace

Result<void> try_timers(boost::asio::io_context& io) {
    bool fired = false;
    boost::asio::steady_timer trial(io, std::chrono::milliseconds(1));
    trial.async_wait([&fired](boost::system::error_code error) { fired = !error; });
    io.run_one_for(std::chrono::seconds(1));
    io.restart();
    if (fired) return {};
    trial.cancel();
    io.poll();  // its handler looks at `fired`
    io.restart();
    return unavailable("the event loop's timers do not work (epoll, timerfd): is memory or another limit used up?");
}

void run_loop(boost::asio::io_context& io) {
    while (!io.stopped()) io.run_for(kLongestWait);
}

SignalWatch::SignalWatch(boost::asio::io_context& io) : signals_(io) {
    const sigset_t watched = watched_signals();
    ::pthread_sigmask(SIG_BLOCK, &watched, nullptr);
}

Result<void> SignalWatch::start(std::function<void(int)> on_signal) {
    on_signal_ = std::move(on_signal);
    const sigset_t watched = watched_signals();
    const int fd = ::signalfd(-1, &watched, SFD_NONBLOCK | SFD_CLOEXEC);
    if (fd < 0) return system_error("cannot wait for signals", errno);
    boost::system::error_code error;
    signals_.assign(fd, error);
    if (error) {
        ::close(fd);
        return unavailable("cannot wait for signals: " + error.message());
    }
    wait();
    return {};
}

void SignalWatch::wait() {
    signals_.async_wait(boost::asio::posix::stream_descriptor::wait_read, [this](boost::system::error_code error) {
        if (error == boost::asio::error::operation_aborted) return;
        read();
        wait();  // also after an error: a wait that comes anew sees what is pending
    });
}

void SignalWatch::read() {
    signalfd_siginfo info{};
    while (::read(signals_.native_handle(), &info, sizeof info) == static_cast<ssize_t>(sizeof info)) {
        on_signal_(static_cast<int>(info.ssi_signo));
    }
}

}  // namespace sla::daemon
