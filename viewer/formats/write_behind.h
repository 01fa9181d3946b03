// WriteBehind: bytes to a descriptor, in order, on a thread of its own, so that who makes text does not wait for the kernel.
// At most kMaxWaiting buffers are under way. Private to the room.
//
//   owner   put(buffer) ──► waiting ──► thread: write(2)
//           ◄── an empty buffer ◄────── written
//
// One owner. Dropped before drain(), it throws away what is not written yet.
#pragma once

#include "viewer/formats/byte_buffer.h"

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

namespace sla::formats {

// How a descriptor fares.
struct Written {
    int error = 0;           // errno of what failed; nothing is written after it
    bool is_closed = false;  // who read the pipe has gone; nothing is written after it
};

// Asks for writes past the page cache, where the file system has them: no copy, and no fresh memory for each page, which
// cost an export as much as making its text. The descriptor is nobody else's.
void write_past_cache(int fd);

// Asked while a write waits for who reads a pipe: true, and the write ends. Of the whole program; null: never.
void stop_writing_when(bool (*stopped)());

// All of them, at once. Bytes that cannot go past the page cache go through it, and so does all that follows. While the reader
// of a pipe, or of what does not wait for one (O_NONBLOCK), takes nothing it looks now and then whether all is to stop; then
// the error is ECANCELED.
Written write_all(int fd, std::string_view bytes);

class WriteBehind {
public:
    explicit WriteBehind(int fd);
    WriteBehind(const WriteBehind&) = delete;
    WriteBehind& operator=(const WriteBehind&) = delete;
    ~WriteBehind();

    // Takes the first bytes of the buffer and leaves one with the others. Says how it fares so far.
    Written put(ByteBuffer& buffer, std::size_t size);
    // Waits for all that was put.
    Written drain();

private:
    static constexpr std::size_t kMaxWaiting = 8;

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

}  // namespace sla::formats
