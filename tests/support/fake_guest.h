// What listens at an emulated PC's control socket (emu/control/control_server.h), made by hand: a process of ours that answers
// as a test says. It stands in the runtime directory that the environment names.
#pragma once

#include "proto/base/runtime_dir.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace sla::support {

class FakeGuest {
public:
    // An answer that begins so says what is wrong with the command.
    static constexpr std::string_view kError = "error: ";
    using Answer = std::function<std::string(const std::string& command)>;

    FakeGuest(pid_t process, Answer answer) : answer_(std::move(answer)) {
        address_.sun_family = AF_UNIX;
        const std::string leaf = "emu-" + std::to_string(process) + ".control";
        sla_runtime_path(address_.sun_path, sizeof address_.sun_path, leaf.c_str());
        listener_ = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
        is_there_ = ::bind(listener_, reinterpret_cast<const sockaddr*>(&address_), sizeof address_) == 0 &&
                    ::listen(listener_, 4) == 0;
        thread_ = std::thread([this] { serve(); });
    }
    ~FakeGuest() {
        over_ = true;
        thread_.join();
        ::close(listener_);
        ::unlink(address_.sun_path);
    }
    FakeGuest(const FakeGuest&) = delete;
    FakeGuest& operator=(const FakeGuest&) = delete;

    [[nodiscard]] bool is_there() const { return is_there_; }
    [[nodiscard]] int connections() const { return connections_; }
    [[nodiscard]] std::vector<std::string> commands() {
        const std::lock_guard lock(mutex_);
        return commands_;
    }

private:
    static constexpr int kLook = 5;  // ms

    void serve() {
        while (!over_) {
            pollfd next{listener_, POLLIN, 0};
            if (::poll(&next, 1, kLook) != 1) continue;
            const int client = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
            if (client < 0) continue;
            ++connections_;
            serve_client(client);
            ::close(client);
        }
    }
    void serve_client(int client) {
        std::string pending;
        std::array<char, 1024> chunk{};
        while (!over_) {
            pollfd next{client, POLLIN, 0};
            if (::poll(&next, 1, kLook) != 1) continue;
            const ssize_t got = ::recv(client, chunk.data(), chunk.size(), 0);
            if (got <= 0) return;
            pending.append(chunk.data(), static_cast<std::size_t>(got));
            for (std::size_t end = pending.find('\n'); end != std::string::npos; end = pending.find('\n')) {
                const std::string command = pending.substr(0, end);
                pending.erase(0, end + 1);
                {
                    const std::lock_guard lock(mutex_);
                    commands_.push_back(command);
                }
                const std::string text = answer_(command);
                const bool is_error = text.starts_with(kError);
                const std::string said = is_error ? text.substr(kError.size()) : text;
                const std::string whole = (is_error ? "error " : "ok ") + std::to_string(said.size()) + "\n" + said;
                ::send(client, whole.data(), whole.size(), MSG_NOSIGNAL);
            }
        }
    }

    Answer answer_;
    sockaddr_un address_{};
    int listener_ = -1;
    std::atomic<bool> is_there_ = false;
    std::atomic<bool> over_ = false;
    std::atomic<int> connections_ = 0;
    std::mutex mutex_;
    std::vector<std::string> commands_;  // guarded by mutex_
    std::thread thread_;
};

}  // namespace sla::support
