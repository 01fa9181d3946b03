#include "proto/capture/pieces/stream_head.h"

#include "proto/wire/capture.pb.h"
#include "proto/wire/frame_codec.h"

namespace sla::capture {
namespace {

constexpr std::size_t kClocksKept = 32;

}  // namespace

void StreamHead::add_name(std::uint32_t source, std::string_view message) {
    constexpr std::size_t kStringBytes = 64;  // beside its letters, in a vector that doubles
    Source& owner = sources_[source];
    owner.names.emplace_back(message);
    owner.bytes += message.size() + kStringBytes;
    bytes_ += message.size() + kStringBytes;
}

void StreamHead::forget(std::uint32_t source) {
    const auto at = sources_.find(source);
    if (at == sources_.end()) return;
    bytes_ -= at->second.bytes;
    sources_.erase(at);
}

void StreamHead::remember(std::string_view message) {
    wire::Frame frame;
    if (!wire::parse_message(message, frame)) return;  // kept as it is; a later file begins without it
    switch (frame.body_case()) {
        case wire::Frame::kHello: hello_ = message; break;
        case wire::Frame::kSource: sources_[frame.source().id()].newest = message; break;
        case wire::Frame::kChannel: add_name(frame.channel().source(), message); break;
        case wire::Frame::kThread: add_name(frame.thread().source(), message); break;
        case wire::Frame::kRetired:
            for (const std::uint32_t source : frame.retired().sources()) forget(source);
            break;
        case wire::Frame::kClock:
            clocks_.emplace_back(message);
            if (clocks_.size() > kClocksKept) clocks_.erase(clocks_.begin() + 1);
            break;
        case wire::Frame::kWatermark: watermark_ = frame.watermark().tick(); break;
        default: break;
    }
}

std::vector<const std::string*> StreamHead::frames() const {
    std::vector<const std::string*> frames;
    if (!hello_.empty()) frames.push_back(&hello_);
    for (const auto& [id, source] : sources_) {
        if (!source.newest.empty()) frames.push_back(&source.newest);
    }
    for (const auto& [id, source] : sources_) {
        for (const std::string& name : source.names) frames.push_back(&name);
    }
    for (const std::string& clock : clocks_) frames.push_back(&clock);
    return frames;
}

}  // namespace sla::capture
