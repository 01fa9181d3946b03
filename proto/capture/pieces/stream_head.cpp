#include "proto/capture/pieces/stream_head.h"

#include "proto/capture/capture_writer.h"
#include "proto/capture/pieces/piece_fill.h"
#include "proto/wire/capture.pb.h"
#include "proto/wire/frame_codec.h"

namespace sla::capture {
namespace {

constexpr std::size_t kClocksKept = 32;
constexpr std::size_t kFirstThreads = 8192;
constexpr std::size_t kNewestThreads = 8192;

std::int64_t cost_of(std::string_view message) {
    constexpr std::size_t kStringBytes = 64;  // beside its letters, in a vector that doubles
    return static_cast<std::int64_t>(message.size() + kStringBytes);
}

}  // namespace

void StreamHead::count(Source& source, std::int64_t bytes) {
    source.bytes += static_cast<std::uint64_t>(bytes);
    bytes_ += static_cast<std::uint64_t>(bytes);
}

void StreamHead::add_channel(Source& source, std::string_view message) {
    source.channels.emplace_back(message);
    count(source, cost_of(message));
}

void StreamHead::add_thread(Source& source, std::string_view message) {
    count(source, cost_of(message));
    if (source.first_threads.size() < kFirstThreads) {
        source.first_threads.emplace_back(message);
        return;
    }
    source.newest_threads.emplace_back(message);
    if (source.newest_threads.size() <= kNewestThreads) return;
    count(source, -cost_of(source.newest_threads.front()));
    source.newest_threads.pop_front();
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
        case wire::Frame::kChannel: add_channel(sources_[frame.channel().source()], message); break;
        case wire::Frame::kThread: add_thread(sources_[frame.thread().source()], message); break;
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
    const auto add = [&frames](const auto& names) {
        for (const std::string& name : names) frames.push_back(&name);
    };
    for (const auto& [id, source] : sources_) {
        add(source.channels);
        add(source.first_threads);
        add(source.newest_threads);
    }
    for (const std::string& clock : clocks_) frames.push_back(&clock);
    return frames;
}

Result<void> StreamHead::write(CaptureWriter& writer, std::uint64_t file_bytes) const {
    for (const std::string* frame : frames()) {
        if (Result<void> written = writer.append(*frame); !written) return written;
    }
    return PieceFill::is_much(bytes_, file_bytes) ? writer.flush() : Result<void>();
}

}  // namespace sla::capture
