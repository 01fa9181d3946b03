// Door: lets in who connects to a listening socket. Where that fails, as without a free descriptor, who waits would end each
// poll at once: the door is looked at again a little later, at no cost meanwhile.
#pragma once

#include <poll.h>
#include <sys/socket.h>

#include <utility>

namespace sla::control {

class Door {
public:
    // The listener is the caller's.
    explicit Door(int listener) : listener_(listener) {}

    // Of the next poll: its source, and for how many milliseconds at most; -1 is for as long as it takes.
    struct Look {
        pollfd source;
        int timeout;
    };
    Look look(bool accepts = true) {
        const bool looks_later = std::exchange(has_failed_, false);
        return {{accepts && !looks_later ? listener_ : -1, POLLIN, 0}, looks_later ? kAgain : -1};
    }
    // A client's socket, the caller's from here on, which does not wait; -1: nobody can be let in.
    int accept() {
        const int socket = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
        has_failed_ = socket < 0;
        return socket;
    }

private:
    static constexpr int kAgain = 200;

    int listener_;
    bool has_failed_ = false;
};

}  // namespace sla::control
