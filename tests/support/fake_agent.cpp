#include "tests/support/fake_agent.h"

#include "proto/base/check.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <atomic>
#include <cstring>

namespace sla::support {

namespace {

std::string unique_path() {
    static std::atomic<int> count{0};
    return "/tmp/sla-fake-agent-" + std::to_string(getpid()) + "-" + std::to_string(count++);
}

}  // namespace

FakeAgent::FakeAgent(std::vector<std::string> answers) : path_(unique_path()), answers_(std::move(answers)) {
    sockaddr_un name{};
    name.sun_family = AF_UNIX;
    std::strncpy(name.sun_path, path_.c_str(), sizeof name.sun_path - 1);
    unlink(path_.c_str());
    listener_ = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    SLA_CHECK(listener_ >= 0);
    SLA_CHECK(bind(listener_, reinterpret_cast<const sockaddr*>(&name), sizeof name) == 0);
    SLA_CHECK(listen(listener_, 8) == 0);
    thread_ = std::thread([this] { serve(); });
}

FakeAgent::~FakeAgent() {
    shutdown(listener_, SHUT_RDWR);
    if (thread_.joinable()) thread_.join();
    close(listener_);
    unlink(path_.c_str());
}

void FakeAgent::serve() {
    for (const std::string& answer : answers_) {
        const int client = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
        if (client < 0) return;
        char request[4096];
        const ssize_t got = recv(client, request, sizeof request, 0);
        requests_.emplace_back(request, got > 0 ? static_cast<std::size_t>(got) : 0);
        std::size_t sent = 0;
        while (sent < answer.size()) {
            const ssize_t n = send(client, answer.data() + sent, answer.size() - sent, MSG_NOSIGNAL);
            if (n <= 0) break;
            sent += static_cast<std::size_t>(n);
        }
        close(client);
    }
}

std::vector<std::string> FakeAgent::requests() {
    if (thread_.joinable()) thread_.join();
    return requests_;
}

}  // namespace sla::support
