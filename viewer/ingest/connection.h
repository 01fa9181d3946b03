// Connection: one try at talking to an agent, on its own I/O thread, from connect to the last byte. Private to the room;
// StreamClient owns one per start().
#pragma once

#include "viewer/ingest/frame_item.h"
#include "viewer/ingest/stream_client.h"

#include <chrono>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

namespace sla::ingest {

// Between the I/O thread and the owner. Locked; outlives every connection, so that what arrived survives it.
class FrameQueue {
public:
    explicit FrameQueue(bool raw) : raw_(raw) {}

    // I/O thread. Decodes here, so that the owner's thread has less to do. False: the queue is full, read no more for now.
    bool push(std::string_view serialized, std::size_t limit);
    void push_new_stream();
    // About the connection itself: for people, not for recorders.
    void push_note(const std::string& text);
    void set_state(StreamState state, std::string message);
    void count_bytes(std::size_t bytes);
    // Nothing is read until it goes on: the queue is full.
    void hold_back();
    void go_on();

    // Owner's thread.
    bool pop(FrameItem& item);
    bool pop_raw(std::string& message);
    void wait(std::chrono::milliseconds timeout);
    // Any thread: whoever waits looks again.
    void wake();
    [[nodiscard]] StreamReport report() const;
    [[nodiscard]] bool is_below(std::size_t bytes) const;

private:
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<FrameItem> items_;
    std::deque<std::string> raw_items_;
    StreamReport report_;
    std::optional<std::chrono::steady_clock::time_point> held_since_;  // nothing is read
    bool raw_ = false;
    bool news_ = false;  // something changed since the last wait
};

class Connection {
public:
    Connection(const StreamOptions& options, std::shared_ptr<FrameQueue> queue);
    ~Connection();  // closes, joins
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;

    // The owner made space in the queue.
    void resume();

private:
    struct Io;
    std::unique_ptr<Io> io_;
};

}  // namespace sla::ingest
