// BlockQueue: blocks become text on other threads, and come back in the order in which they were put.
//
//   owner     fill ─► put() ─► │ waiting │ at work │ done │ ─► take() ─► written
//   threads                      └─ the oldest first ─┘
//
// While the blocks are few the owner makes their text itself, so the first comes at once; later it does so instead of
// waiting: with one core there are no threads, and it makes them all. What a thread throws take() throws.
//
// Memory: two blocks a thread and three more, 400 KB and their text each; kept from one block to the next. One owner.
#pragma once

#include "viewer/formats/table/rows/row_block.h"

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace sla::formats {

class BlockQueue {
public:
    using MakeFormat = std::function<std::unique_ptr<BlockFormat>()>;

    // At most so many threads beside the owner's.
    BlockQueue(MakeFormat make_format, std::size_t threads);
    // Throws away what was not taken.
    ~BlockQueue();
    BlockQueue(const BlockQueue&) = delete;
    BlockQueue& operator=(const BlockQueue&) = delete;

    // The owner's.
    [[nodiscard]] BlockFormat& format() { return *format_; }
    // One to fill, and one that was written.
    std::unique_ptr<RowBlock> spare();
    void give_back(std::unique_ptr<RowBlock> block) { spares_.push_back(std::move(block)); }

    void put(std::unique_ptr<RowBlock> block);
    // The oldest one, with its text. Null: others may be put meanwhile; `all`: there is none left.
    std::unique_ptr<RowBlock> take(bool all);

private:
    static constexpr std::size_t kAlone = 2;  // blocks before the threads start
    enum class State { kWaiting, kAtWork, kDone };
    struct Entry {
        std::unique_ptr<RowBlock> block;
        State state = State::kWaiting;
        std::exception_ptr failure;
    };

    void start();
    void work(BlockFormat& format);
    // With the lock held: the oldest that waits; null: none does.
    Entry* find_waiting();
    // Lets go of the lock while it works.
    static void make_text(Entry& entry, BlockFormat& format, std::unique_lock<std::mutex>& lock);
    [[nodiscard]] std::size_t most_under_way() const { return threads_.empty() ? 0 : 2 * threads_.size() + 2; }

    MakeFormat make_format_;
    std::size_t wanted_threads_;
    std::unique_ptr<BlockFormat> format_;
    std::vector<std::unique_ptr<RowBlock>> spares_;
    std::size_t put_ = 0;

    std::mutex mutex_;  // of all that follows
    std::condition_variable changed_;
    std::deque<Entry> entries_;
    bool over_ = false;
    std::vector<std::unique_ptr<BlockFormat>> formats_;  // one a thread
    std::vector<std::thread> threads_;                   // the owner's
};

}  // namespace sla::formats
