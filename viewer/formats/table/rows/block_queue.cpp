#include "viewer/formats/table/rows/block_queue.h"

#include <algorithm>
#include <system_error>
#include <utility>

namespace sla::formats {

BlockQueue::BlockQueue(MakeFormat make_format, std::size_t threads)
    : make_format_(std::move(make_format)), wanted_threads_(threads), format_(make_format_()) {}

BlockQueue::~BlockQueue() {
    {
        const std::lock_guard lock(mutex_);
        over_ = true;
    }
    changed_.notify_all();
    for (std::thread& thread : threads_) thread.join();
}

std::unique_ptr<RowBlock> BlockQueue::spare() {
    if (spares_.empty()) return std::make_unique<RowBlock>();
    std::unique_ptr<RowBlock> block = std::move(spares_.back());
    spares_.pop_back();
    return block;
}

void BlockQueue::put(std::unique_ptr<RowBlock> block) {
    if (put_++ == kAlone) start();
    {
        const std::lock_guard lock(mutex_);
        entries_.push_back({std::move(block), State::kWaiting, nullptr});
    }
    if (!threads_.empty()) changed_.notify_one();
}

// As many as there can be: what they do not do the owner does.
void BlockQueue::start() {
    formats_.reserve(wanted_threads_);
    threads_.reserve(wanted_threads_);
    try {
        while (threads_.size() < wanted_threads_) {
            formats_.push_back(make_format_());
            threads_.emplace_back([this, format = formats_.back().get()] { work(*format); });
        }
    } catch (const std::system_error&) {
    }
}

std::unique_ptr<RowBlock> BlockQueue::take(bool all) {
    std::unique_lock lock(mutex_);
    if (entries_.empty()) return nullptr;
    while (entries_.front().state != State::kDone) {
        if (!all && entries_.size() <= most_under_way()) return nullptr;
        if (Entry* const waiting = find_waiting()) {
            make_text(*waiting, *format_, lock);
        } else {
            changed_.wait(lock);
        }
    }
    Entry first = std::move(entries_.front());
    entries_.pop_front();
    if (first.failure != nullptr) std::rethrow_exception(first.failure);
    return std::move(first.block);
}

BlockQueue::Entry* BlockQueue::find_waiting() {
    const auto waits = [](const Entry& entry) { return entry.state == State::kWaiting; };
    const auto found = std::find_if(entries_.begin(), entries_.end(), waits);
    return found == entries_.end() ? nullptr : &*found;
}

void BlockQueue::make_text(Entry& entry, BlockFormat& format, std::unique_lock<std::mutex>& lock) {
    entry.state = State::kAtWork;
    lock.unlock();
    try {
        format.write(*entry.block);
    } catch (...) {
        entry.failure = std::current_exception();
    }
    lock.lock();
    entry.state = State::kDone;
}

void BlockQueue::work(BlockFormat& format) {
    std::unique_lock lock(mutex_);
    for (;;) {
        Entry* waiting = find_waiting();
        while (!over_ && waiting == nullptr) {
            changed_.wait(lock);
            waiting = find_waiting();
        }
        if (over_) return;
        make_text(*waiting, format, lock);
        changed_.notify_all();
    }
}

}  // namespace sla::formats
