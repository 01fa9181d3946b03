// CtfStreamFile: one stream file of a CTF trace, read event by event. The file is open only while a block of it is read, so
// that a trace may have more streams than a process may have open files.
//
//   file    ├─ packet ─┼─ head │ events ─────────────────┼─ packet …
//   buffer_                ├ taken │ rest() ──┤
//
// From outside: no size in it is trusted. Memory: a block, or one event where that is longer. One owner, one thread.
#pragma once

#include "proto/base/result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace sla::formats {

// Little-endian words; a read beyond the end makes it bad for good.
class CtfCursor {
public:
    explicit CtfCursor(std::string_view bytes) : bytes_(bytes) {}
    template <typename T>
    T number() {
        if (bytes_.size() - at_ < sizeof(T)) bad_ = true;
        T out = 0;
        for (std::size_t i = 0; !bad_ && i < sizeof(T); ++i)
            out =
                static_cast<T>(out | static_cast<T>(static_cast<T>(static_cast<unsigned char>(bytes_[at_ + i])) << (8 * i)));
        at_ += bad_ ? 0 : sizeof(T);
        return out;
    }
    std::string text() {
        const std::size_t end = bytes_.find('\0', at_);
        if (end == std::string_view::npos) {
            bad_ = true;
            return {};
        }
        std::string out(bytes_.substr(at_, end - at_));
        at_ = end + 1;
        return out;
    }
    [[nodiscard]] bool bad() const { return bad_; }
    [[nodiscard]] std::size_t at() const { return at_; }

private:
    std::string_view bytes_;
    std::size_t at_ = 0;
    bool bad_ = false;
};

class CtfStreamFile {
public:
    // `block`: bytes read at a time.
    CtfStreamFile(std::string path, std::size_t block) : path_(std::move(path)), block_(block) {}

    // Goes to where the next event begins. False: there is none.
    Result<bool> find_event();
    // Of that event; 0 of one that has no tick.
    [[nodiscard]] std::uint64_t tick() const { return tick_; }
    [[nodiscard]] std::uint32_t stream() const { return stream_; }
    // From it on, as far as its packet is here.
    [[nodiscard]] std::string_view rest() const { return std::string_view(buffer_).substr(taken_, packet_left_); }
    // Makes rest() longer. False: it goes to the end of its packet already.
    Result<bool> read_on();
    [[nodiscard]] std::uint64_t bytes_read() const { return read_; }
    // So many bytes of rest() are done with.
    void take(std::size_t bytes) {
        taken_ += bytes;
        packet_left_ -= bytes;
    }

private:
    [[nodiscard]] std::size_t here() const { return buffer_.size() - taken_; }
    Result<void> fill(std::size_t wanted);
    Result<void> enter_packet();
    [[nodiscard]] Error wrong(const std::string& what) const;

    std::string path_;
    std::size_t block_;
    std::uint64_t read_ = 0;  // bytes of the file
    std::string buffer_;      // what was read last, and what was left before
    std::size_t taken_ = 0;
    std::size_t packet_left_ = 0;  // bytes of the packet behind those taken
    bool at_end_ = false;          // of the file
    std::uint32_t stream_ = 0;
    std::uint64_t tick_ = 0;
};

}  // namespace sla::formats
