#include "viewer/export/write_behind.h"

#include <unistd.h>

#include <cerrno>
#include <utility>

namespace sla::exporting {

Written write_all(int fd, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t n = ::write(fd, bytes.data(), bytes.size());
        if (n >= 0) {
            bytes.remove_prefix(static_cast<std::size_t>(n));
        } else if (errno == EPIPE) {
            return {0, true};
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

Written WriteBehind::put(ByteBuffer& buffer) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return waiting_.size() < kMostWaiting; });
    waiting_.push_back(std::exchange(buffer, ByteBuffer()));
    if (!empty_.empty()) {
        buffer = std::move(empty_.back());
        empty_.pop_back();
    }
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
