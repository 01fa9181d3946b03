// Frames on a byte stream: a 4-byte little-endian length, then that many bytes of one protobuf message.
// Bounded and without I/O: bytes go in, whole messages come out, anything else is an error that ends the stream.
#pragma once

#include "proto/base/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace google::protobuf {
class MessageLite;
}

namespace sla::wire {

inline constexpr std::size_t kFrameHeaderBytes = 4;
inline constexpr std::size_t kMaxFrameBytes = std::size_t{4} << 20;

// Header and message, ready to send. The message must be below kMaxFrameBytes (checked: our own are).
std::string encode_frame(const google::protobuf::MessageLite& message);

// Whether these bytes are such a message. Use it for all bytes from outside: protobuf's own complaints, with which anyone
// could fill our standard error, are silenced meanwhile.
bool parse_message(std::string_view bytes, google::protobuf::MessageLite& out);

// Collects bytes of one stream. One owner, one thread.
class FrameDecoder {
public:
    void feed(std::string_view bytes);

    // The next whole message's bytes (valid until the next call of feed or next), nothing when more bytes are
    // needed, or an error (a length of 0 or beyond kMaxFrameBytes): then the stream is over for good.
    Result<std::optional<std::string_view>> next();

    [[nodiscard]] std::size_t pending_bytes() const { return buffer_.size() - consumed_; }

private:
    std::string buffer_;
    std::size_t consumed_ = 0;
    bool broken_ = false;
};

}  // namespace sla::wire
