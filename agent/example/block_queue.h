// A bounded queue between two stages, whose depth and back-pressure can be watched.
//
// Any number of threads push and pop. Channels: NAME (its depth after each change) and NAME.full (1 while a producer waits).
#pragma once

#include <sla/marker.h>

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

namespace sla::example {

template <typename T>
class BlockQueue {
public:
    BlockQueue(const std::string& name, std::size_t capacity)
        : capacity_(capacity), depth_(sla_channel_open(name.c_str())), full_(sla_channel_open((name + ".full").c_str())) {}

    // Waits for space; false when the queue was closed and the item was not taken.
    bool push(T item) {
        std::unique_lock lock(mutex_);
        if (items_.size() >= capacity_ && !closed_) {
            SLA_LEVEL(full_, true);
            not_full_.wait(lock, [this] { return items_.size() < capacity_ || closed_; });
            SLA_LEVEL(full_, false);
        }
        if (closed_) return false;
        items_.push_back(std::move(item));
        SLA_VALUE(depth_, items_.size());
        lock.unlock();
        filled_.notify_one();
        return true;
    }

    // Waits for an item; nothing when the queue is closed and empty.
    std::optional<T> pop() {
        std::unique_lock lock(mutex_);
        filled_.wait(lock, [this] { return !items_.empty() || closed_; });
        if (items_.empty()) return std::nullopt;
        std::optional<T> item = std::move(items_.front());
        items_.pop_front();
        SLA_VALUE(depth_, items_.size());
        lock.unlock();
        not_full_.notify_one();
        return item;
    }

    // No more pushes; what is inside can still be popped.
    void close() {
        const std::lock_guard lock(mutex_);
        closed_ = true;
        filled_.notify_all();
        not_full_.notify_all();
    }

private:
    const std::size_t capacity_;
    sla_channel* const depth_;
    sla_channel* const full_;
    std::mutex mutex_;
    std::condition_variable not_full_;
    std::condition_variable filled_;
    std::deque<T> items_;
    bool closed_ = false;
};

}  // namespace sla::example
