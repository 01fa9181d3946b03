#include "viewer/formats/write_behind.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <climits>
#include <utility>

namespace sla::formats {

namespace {

// False: it was through it already.
bool write_through_cache(int fd) {
    const int flags = fcntl(fd, F_GETFL);
    return flags >= 0 && (flags & O_DIRECT) != 0 && fcntl(fd, F_SETFL, flags & ~O_DIRECT) == 0;
}

std::atomic<bool (*)()> g_is_stopped = nullptr;

bool is_stopped() {
    const auto ask = g_is_stopped.load();
    return ask != nullptr && ask();
}

// A write to it may wait for ever for its reader.
bool has_reader(int fd) {
    struct stat of {};
    return fstat(fd, &of) == 0 && (S_ISFIFO(of.st_mode) || S_ISSOCK(of.st_mode));
}

// Until there is space for PIPE_BUF bytes, which then are taken without waiting. False: no more is wanted.
bool gets_space(int fd) {
    constexpr int kLookMs = 100;
    struct pollfd one {
        fd, POLLOUT, 0
    };
    while (poll(&one, 1, kLookMs) <= 0) {
        if (is_stopped()) return false;
    }
    return true;
}

// As many bytes as there is space for: a call for each PIPE_BUF of them takes longer than making them. Where the kernel cannot
// say so it is PIPE_BUF at a time. As write().
ssize_t write_to_reader(int fd, std::string_view bytes) {
    struct iovec all {
        const_cast<char*>(bytes.data()), bytes.size()
    };
    const ssize_t n = pwritev2(fd, &all, 1, -1, RWF_NOWAIT);
    const bool may_be_full = n < 0 && (errno == EAGAIN || errno == EOPNOTSUPP || errno == ENOSYS || errno == EINVAL);
    if (!may_be_full) return n;
    if (gets_space(fd)) return ::write(fd, bytes.data(), std::min<std::size_t>(bytes.size(), PIPE_BUF));
    errno = ECANCELED;
    return -1;
}

}  // namespace

void stop_writing_when(bool (*stopped)()) {
    g_is_stopped = stopped;
}

void write_past_cache(int fd) {
    const int flags = fcntl(fd, F_GETFL);
    if (flags >= 0) fcntl(fd, F_SETFL, flags | O_DIRECT);  // refused where there is no such way
}

Written write_all(int fd, std::string_view bytes) {
    const bool waits = has_reader(fd);
    while (!bytes.empty()) {
        const ssize_t n = waits ? write_to_reader(fd, bytes) : ::write(fd, bytes.data(), bytes.size());
        if (n >= 0) {
            bytes.remove_prefix(static_cast<std::size_t>(n));
        } else if (errno == EPIPE) {
            return {0, true};
        } else if (errno == EINVAL && write_through_cache(fd)) {
            continue;
        } else if (errno == EAGAIN) {  // a terminal that another program has left so that it does not wait
            if (!gets_space(fd)) return {ECANCELED, false};
        } else if (errno != EINTR) {
            return {errno, false};
        }
    }
    return {};
}

// The thread takes no memory of its own: nobody there could say that there is none.
WriteBehind::WriteBehind(int fd) : fd_(fd) {
    empty_.reserve(kMaxWaiting + 1);
    thread_ = std::thread([this] { work(); });
}

WriteBehind::~WriteBehind() {
    {
        const std::lock_guard lock(mutex_);
        over_ = true;
        waiting_.clear();
    }
    changed_.notify_all();
    thread_.join();
}

Written WriteBehind::put(ByteBuffer& buffer, std::size_t size) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return waiting_.size() < kMaxWaiting; });
    ByteBuffer next;
    if (!empty_.empty()) {
        next = std::move(empty_.back());
        empty_.pop_back();
    }
    next.put(buffer.view().substr(size));
    buffer.cut(size);
    waiting_.push_back(std::exchange(buffer, std::move(next)));
    changed_.notify_all();
    return written_;
}

Written WriteBehind::drain() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return waiting_.empty() && !is_writing_; });
    return written_;
}

void WriteBehind::work() {
    std::unique_lock lock(mutex_);
    for (;;) {
        changed_.wait(lock, [this] { return over_ || !waiting_.empty(); });
        if (over_) return;
        ByteBuffer buffer = std::move(waiting_.front());
        waiting_.pop_front();
        is_writing_ = true;
        const bool wanted = written_.error == 0 && !written_.is_closed;
        lock.unlock();
        const Written now = wanted ? write_all(fd_, buffer.view()) : Written();
        buffer.clear();
        lock.lock();
        if (wanted) written_ = now;
        is_writing_ = false;
        empty_.push_back(std::move(buffer));
        changed_.notify_all();
    }
}

}  // namespace sla::formats
