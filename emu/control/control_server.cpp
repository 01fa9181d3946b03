#include "emu/control/control_server.h"

#include "proto/base/guest_socket.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>

namespace sla::control {

namespace {

constexpr std::size_t kMaxLine = 4096;

void send_all(int to, const std::string& text) {
    for (std::size_t done = 0; done < text.size();) {
        const ssize_t sent = ::send(to, text.data() + done, text.size() - done, MSG_NOSIGNAL);
        if (sent <= 0) return;  // who asked is gone
        done += static_cast<std::size_t>(sent);
    }
}

bool hung_up(int client) {
    pollfd end{client, POLLRDHUP, 0};
    return ::poll(&end, 1, 0) == 1 && (end.revents & (POLLRDHUP | POLLHUP | POLLERR)) != 0;
}

}  // namespace

Result<std::unique_ptr<ControlServer>> ControlServer::open(const std::string& path, machine::StopSignal& signal,
                                                           Console& console) {
    const auto address = socket_address(path);
    if (!address) return address.error();
    const int listener = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (listener < 0) return system_error("cannot make the control socket", errno);
    ::unlink(path.c_str());
    const auto* raw = reinterpret_cast<const sockaddr*>(&*address);
    // Nobody gets in before it listens, and by then it is the owner's only.
    const bool bound = ::bind(listener, raw, sizeof *address) == 0 && ::chmod(path.c_str(), S_IRUSR | S_IWUSR) == 0 &&
                       ::listen(listener, 4) == 0;
    const int wake = bound ? ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK) : -1;
    if (wake < 0) {
        const int failed = errno;
        ::close(listener);
        return system_error("cannot listen at " + path, failed);
    }
    return std::unique_ptr<ControlServer>(new ControlServer(path, listener, wake, signal, console));
}

ControlServer::ControlServer(std::string path, int listener, int wake, machine::StopSignal& signal, Console& console)
    : path_(std::move(path)), listener_(listener), wake_(wake), signal_(signal), console_(console), thread_([this] {
          serve_all();
      }) {}

ControlServer::~ControlServer() {
    {
        const std::lock_guard lock(mutex_);
        closing_ = true;
    }
    changed_.notify_all();
    const std::uint64_t one = 1;
    [[maybe_unused]] const auto written = ::write(wake_, &one, sizeof one);  // an eventfd of 0 takes 1
    thread_.join();
    ::close(listener_);
    ::close(wake_);
    ::unlink(path_.c_str());
}

bool ControlServer::wait_for(int descriptor) const {
    std::array<pollfd, 2> either{pollfd{descriptor, POLLIN, 0}, pollfd{wake_, POLLIN, 0}};
    while (::poll(either.data(), either.size(), -1) < 0 && errno == EINTR) {
    }
    return either[1].revents == 0;
}

void ControlServer::serve_all() {
    while (wait_for(listener_)) {
        const int client = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
        if (client < 0) continue;
        serve_client(client);
        ::close(client);
    }
}

void ControlServer::serve_client(int client) {
    std::string pending;
    std::array<char, 1024> chunk{};
    while (wait_for(client)) {
        const ssize_t got = ::recv(client, chunk.data(), chunk.size(), 0);
        if (got <= 0) return;
        pending.append(chunk.data(), static_cast<std::size_t>(got));
        for (std::size_t end = pending.find('\n'); end != std::string::npos; end = pending.find('\n')) {
            send_all(client, ask(pending.substr(0, end), client));
            pending.erase(0, end + 1);
        }
        if (pending.size() > kMaxLine) return;
    }
}

std::string ControlServer::ask(const std::string& line, int client) {
    using namespace std::chrono_literals;
    std::unique_lock lock(mutex_);
    line_ = line;
    answer_.reset();
    changed_.notify_all();
    signal_.call_attention();
    const auto done = [this] { return answer_ || closing_; };
    while (!changed_.wait_for(lock, 100ms, done)) {
        if (given_up_ || !waits_ || !hung_up(client)) continue;
        given_up_ = true;
        signal_.call_attention();
    }
    return answer_.value_or("");
}

void ControlServer::answer(const Result<std::string>& done) {
    const std::string& text = done ? *done : done.error().message;
    answer_ = (done ? "ok " : "error ") + std::to_string(text.size()) + "\n" + text;
    line_.reset();
    waits_ = given_up_ = false;
    changed_.notify_all();
}

void ControlServer::serve() {
    const std::lock_guard lock(mutex_);
    if (waits_) {
        if (given_up_) console_.give_up();
        if (!console_.waits()) answer(console_.report());
        return;
    }
    if (!line_) return;
    const auto done = console_.run(*line_);
    if (!done || !console_.waits()) return answer(done);
    line_.reset();
    waits_ = true;
}

}  // namespace sla::control
