#include "emu/control/control_server.h"

#include "emu/control/control_path.h"

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

}  // namespace

Result<std::unique_ptr<ControlServer>> ControlServer::open(const std::string& path, machine::StopSignal& signal) {
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
    return std::unique_ptr<ControlServer>(new ControlServer(path, listener, wake, signal));
}

ControlServer::ControlServer(std::string path, int listener, int wake, machine::StopSignal& signal)
    : path_(std::move(path)), listener_(listener), wake_(wake), signal_(signal), thread_([this] { serve_all(); }) {}

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
        serve(client);
        ::close(client);
    }
}

void ControlServer::serve(int client) {
    std::string pending;
    std::array<char, 1024> chunk{};
    while (wait_for(client)) {
        const ssize_t got = ::recv(client, chunk.data(), chunk.size(), 0);
        if (got <= 0) return;
        pending.append(chunk.data(), static_cast<std::size_t>(got));
        for (std::size_t end = pending.find('\n'); end != std::string::npos; end = pending.find('\n')) {
            send_all(client, ask(pending.substr(0, end)));
            pending.erase(0, end + 1);
        }
        if (pending.size() > kMaxLine) return;
    }
}

std::string ControlServer::ask(const std::string& line) {
    std::unique_lock lock(mutex_);
    line_ = line;
    answer_.reset();
    changed_.notify_all();
    signal_.call_attention();
    changed_.wait(lock, [this] { return answer_ || closing_; });
    return answer_.value_or("");
}

void ControlServer::attend(Console& console) {
    using namespace std::chrono_literals;
    signal_.take_attention();
    std::unique_lock lock(mutex_);
    for (;;) {
        if (line_) {
            const auto done = console.run(*line_);
            const std::string& text = done ? *done : done.error().message;
            answer_ = (done ? "ok " : "error ") + std::to_string(text.size()) + "\n" + text;
            line_.reset();
            changed_.notify_all();
        }
        if (!console.paused() || signal_.requested()) return;
        changed_.wait_for(lock, 50ms, [this] { return line_.has_value(); });
    }
}

}  // namespace sla::control
