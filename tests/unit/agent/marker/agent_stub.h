// An agent of the test's own: a directory of its own, the programs' socket in it, and one program's connection. The waits
// are for the attach thread of the same process, a second at most each.
#pragma once

#include <sla/marker.h>

#include <gtest/gtest.h>

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <string>

namespace sla {

class AgentStub {
public:
    AgentStub() {
        std::string pattern = "/tmp/sla-stub-XXXXXX";
        directory_ = mkdtemp(pattern.data());
        setenv("SLA_RUNTIME_DIR", directory_.c_str(), 1);
    }
    ~AgentStub() {
        leave();
        unlink((directory_ + "/agent.clock").c_str());
        rmdir(directory_.c_str());
    }
    AgentStub(const AgentStub&) = delete;
    AgentStub& operator=(const AgentStub&) = delete;

    void listen() {
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        std::strncpy(address.sun_path, path().c_str(), sizeof address.sun_path - 1);
        listener_ = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
        ASSERT_EQ(bind(listener_, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
        ASSERT_EQ(::listen(listener_, 8), 0);
    }
    // The next program; its hello, and the segment's descriptor, which is the caller's.
    int accept(sla_hello& hello) {
        pollfd wait{listener_, POLLIN, 0};
        if (poll(&wait, 1, 5000) != 1) return -1;
        close_program();
        program_ = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
        iovec data{&hello, sizeof hello};
        alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))];
        msghdr message{};
        message.msg_iov = &data;
        message.msg_iovlen = 1;
        message.msg_control = control;
        message.msg_controllen = sizeof control;
        const ssize_t got = recvmsg(program_, &message, MSG_CMSG_CLOEXEC);
        const cmsghdr* rights = CMSG_FIRSTHDR(&message);
        if (got != sizeof hello || rights == nullptr) return -1;
        int fd = -1;
        std::memcpy(&fd, CMSG_DATA(rights), sizeof fd);
        return fd;
    }
    void say(sla_welcome_status status) const {
        const sla_welcome welcome{SLA_HELLO_MAGIC, SLA_ABI_VERSION, static_cast<std::uint32_t>(status)};
        send(program_, &welcome, sizeof welcome, MSG_NOSIGNAL);
    }
    void close_program() {
        if (program_ >= 0) close(program_);
        program_ = -1;
    }
    void leave() {
        close_program();
        if (listener_ >= 0) close(listener_);
        listener_ = -1;
        unlink(path().c_str());
    }
    [[nodiscard]] std::string path() const { return directory_ + "/programs.sock"; }
    [[nodiscard]] const std::string& directory() const { return directory_; }

private:
    std::string directory_;
    int listener_ = -1;
    int program_ = -1;
};

// Until the attach thread has made the channel what it should be; false: not within five seconds.
inline bool becomes_armed(const sla_channel* channel, std::uint32_t armed) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(5);
    while (__atomic_load_n(&channel->armed, __ATOMIC_RELAXED) != armed) {  // a late view is fine
        if (std::chrono::steady_clock::now() > end) return false;
        sched_yield();
    }
    return true;
}

}  // namespace sla
