#include "viewer/export/write_behind.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace sla::exporting {

namespace {

// False: it was through it already.
bool write_through_cache(int fd) {
    const int flags = fcntl(fd, F_GETFL);
    return flags >= 0 && (flags & O_DIRECT) != 0 && fcntl(fd, F_SETFL, flags & ~O_DIRECT) == 0;
}

}  // namespace

void write_past_cache(int fd) {
    const int flags = fcntl(fd, F_GETFL);
    if (flags >= 0) fcntl(fd, F_SETFL, flags | O_DIRECT);  // refused where there is no such way
}

Written write_all(int fd, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t n = ::write(fd, bytes.data(), bytes.size());
        if (n >= 0) {
            bytes.remove_prefix(static_cast<std::size_t>(n));
        } else if (errno == EPIPE) {
            return {0, true};
        } else if (errno == EINVAL && write_through_cache(fd)) {
            continue;
        } else if (errno != EINTR) {
            return {errno, false};
        }
    }
    return {};
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
    changed_.wait(lock, [this] { return waiting_.size() < kMostWaiting; });
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

}  // namespace sla::exporting
