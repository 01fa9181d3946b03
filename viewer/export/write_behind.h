// WriteBehind: bytes to a descriptor, in order, on a thread of its own, so that who makes text does not wait for the copy into
// the kernel: a quarter of the time of an export to a file. At most kMostWaiting buffers are under way. Private to the room.
//
//   owner   put(buffer) ──► waiting ──► thread: write(2)
//           ◄── an empty buffer ◄────── written
//
// One owner. Dropped before drain(), it throws away what is not written yet.
#pragma once

#include "viewer/export/byte_buffer.h"

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

namespace sla::exporting {

// How a descriptor fares.
struct Written {
    int error = 0;          // errno of what failed; nothing is written after it
    bool is_closed = false;  // who read the pipe has gone; nothing is written after it
};

// All of them, at once.
Written write_all(int fd, std::string_view bytes);

class WriteBehind {
public:
    explicit WriteBehind(int fd) : fd_(fd), thread_([this] { work(); }) {}
    WriteBehind(const WriteBehind&) = delete;
    WriteBehind& operator=(const WriteBehind&) = delete;
    ~WriteBehind();

    // Takes what is in the buffer and leaves an empty one. Tells how it fares so far.
    Written put(ByteBuffer& buffer);
    // Waits for all that was put.
    Written drain();

private:
    static constexpr std::size_t kMostWaiting = 4;

    void work();

    const int fd_;
    std::mutex mutex_;  // of all that follows
    std::condition_variable changed_;
    std::deque<ByteBuffer> waiting_;
    std::vector<ByteBuffer> empty_;
    Written written_;
    bool is_writing_ = false;
    bool over_ = false;
    std::thread thread_;
};

}  // namespace sla::exporting
