#include "proto/wire/frame_codec.h"

#include <fmt/format.h>
#include <google/protobuf/message_lite.h>
#include <google/protobuf/stubs/logging.h>

#include <limits>
#include <vector>

namespace sla::wire {
namespace {

void put_length(std::uint32_t length, char* out) {
    for (std::size_t i = 0; i < kFrameHeaderBytes; ++i) out[i] = static_cast<char>(length >> (8 * i) & 0xff);
}

std::uint32_t get_length(const char* in) {
    std::uint32_t length = 0;
    for (std::size_t i = 0; i < kFrameHeaderBytes; ++i) {
        length |= static_cast<std::uint32_t>(static_cast<unsigned char>(in[i])) << (8 * i);
    }
    return length;
}

}  // namespace

// Put together in a buffer that stays in the processor's cache: a string's own, fresh memory would be cleared first.
std::string encode_frame(const google::protobuf::MessageLite& message) {
    thread_local std::vector<char> buffer;
    const std::size_t length = message.ByteSizeLong();
    SLA_CHECK(length > 0 && length <= kMaxFrameBytes);
    const std::size_t bytes = kFrameHeaderBytes + length;
    if (buffer.size() < bytes) buffer.resize(bytes);
    put_length(static_cast<std::uint32_t>(length), buffer.data());
    message.SerializeWithCachedSizesToArray(reinterpret_cast<std::uint8_t*>(buffer.data() + kFrameHeaderBytes));
    return {buffer.data(), bytes};
}

bool parse_message(std::string_view bytes, google::protobuf::MessageLite& out) {
    if (bytes.size() > static_cast<std::size_t>(std::numeric_limits<int>::max())) return false;
    const google::protobuf::LogSilencer silence;
    return out.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()));
}

// What was handed out is dropped only here, so that views stay valid until the next feed.
void FrameDecoder::feed(std::string_view bytes) {
    if (broken_) return;
    if (consumed_ > 0 && consumed_ >= buffer_.size() / 2) {
        buffer_.erase(0, consumed_);
        consumed_ = 0;
    }
    buffer_.append(bytes);
}

Result<std::optional<std::string_view>> FrameDecoder::next() {
    const std::string_view pending = std::string_view(buffer_).substr(consumed_);
    if (!broken_ && pending.size() < kFrameHeaderBytes) return std::optional<std::string_view>();
    const std::size_t length = get_length(pending.data());
    broken_ = broken_ || length == 0 || length > kMaxFrameBytes;
    if (broken_) {
        return damaged(
            fmt::format("the stream is broken: a frame of {} bytes was announced (1 to {} are allowed); "
                        "is the other side really speaking this protocol?",
                        length, kMaxFrameBytes));
    }
    if (pending.size() - kFrameHeaderBytes < length) return std::optional<std::string_view>();
    consumed_ += kFrameHeaderBytes + length;
    return std::optional<std::string_view>(pending.substr(kFrameHeaderBytes, length));
}

}  // namespace sla::wire
