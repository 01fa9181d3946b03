#include "viewer/cli/commands/relay.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>

namespace sla::cli {

namespace {

constexpr std::size_t kBufferBytes = std::size_t{64} << 10;

bool would_wait(int reason) {
    return reason == EAGAIN || reason == EWOULDBLOCK || reason == EINTR;
}

// One way: what was read and is not written yet.
class Way {
public:
    Way(int from, int to) : from_(from), to_(to) {}

    [[nodiscard]] bool wants_to_read() const { return !ended_ && begin_ == end_; }
    [[nodiscard]] bool wants_to_write() const { return begin_ < end_; }
    // The source has no more, and all of it is written.
    [[nodiscard]] bool is_done() const { return ended_ && begin_ == end_; }
    [[nodiscard]] bool is_broken() const { return broken_; }

    void read_some() {
        const ssize_t count = ::read(from_, bytes_.data(), bytes_.size());
        if (count < 0 && would_wait(errno)) return;
        begin_ = 0;
        end_ = count > 0 ? static_cast<std::size_t>(count) : 0;
        ended_ = count <= 0;
    }
    void write_some() {
        const ssize_t count = ::write(to_, bytes_.data() + begin_, end_ - begin_);
        if (count >= 0) {
            begin_ += static_cast<std::size_t>(count);
        } else if (!would_wait(errno)) {
            broken_ = true;
        }
    }

private:
    int from_;
    int to_;
    std::array<char, kBufferBytes> bytes_{};
    std::size_t begin_ = 0;
    std::size_t end_ = 0;
    bool ended_ = false;
    bool broken_ = false;  // nobody takes it any more
};

// As it was, afterwards: the terminal or pipe is others' too.
class NonBlocking {
public:
    explicit NonBlocking(int fd) : fd_(fd), flags_(fcntl(fd, F_GETFL)) {
        if (flags_ >= 0) fcntl(fd_, F_SETFL, flags_ | O_NONBLOCK);
    }
    ~NonBlocking() {
        if (flags_ >= 0) fcntl(fd_, F_SETFL, flags_);
    }
    NonBlocking(const NonBlocking&) = delete;
    NonBlocking& operator=(const NonBlocking&) = delete;

private:
    int fd_;
    int flags_;
};

}  // namespace

Result<void> relay(int input, int output, int agent, const std::function<bool()>& go_on) {
    const NonBlocking quick_input(input);
    const NonBlocking quick_output(output);
    const NonBlocking quick_agent(agent);
    Way there(input, agent);
    Way back(agent, output);
    bool half_closed = false;
    while (go_on()) {
        if (there.is_done() && !half_closed) {
            half_closed = true;
            shutdown(agent, SHUT_WR);
        }
        if (back.is_done() || back.is_broken()) return {};
        const bool reads_client = there.wants_to_read() && !there.is_broken();
        const bool writes_agent = there.wants_to_write() && !there.is_broken();
        std::array<pollfd, 4> waits = {{{reads_client ? input : -1, POLLIN, 0},
                                        {writes_agent ? agent : -1, POLLOUT, 0},
                                        {back.wants_to_read() ? agent : -1, POLLIN, 0},
                                        // Without an event to wait for, only that nobody listens any more is reported.
                                        {output, static_cast<short>(back.wants_to_write() ? POLLOUT : 0), 0}}};
        if (poll(waits.data(), waits.size(), -1) < 0 && errno != EINTR)
            return system_error("cannot wait for bytes to relay", errno);
        if (waits[0].revents != 0) there.read_some();
        if (waits[1].revents != 0) there.write_some();
        if (waits[2].revents != 0) back.read_some();
        if (back.wants_to_write() && waits[3].revents != 0) {
            back.write_some();
        } else if ((waits[3].revents & (POLLERR | POLLHUP)) != 0) {
            return {};
        }
    }
    return {};
}

}  // namespace sla::cli
