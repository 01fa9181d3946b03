#include "proto/capture/pieces/repeated_names.h"

#include "proto/wire/capture.pb.h"
#include "proto/wire/frame_codec.h"

namespace sla::capture {
namespace {

constexpr std::string_view kGoesOnIn = "goes on in ";

// A frame is one field, whose number stands in its first byte.
bool begins_with(std::string_view frame, int field) {
    constexpr int kLengthDelimited = 2;
    return !frame.empty() && static_cast<unsigned char>(frame[0]) == (field << 3 | kLengthDelimited);
}

}  // namespace

bool is_batch_frame(std::string_view frame) {
    static_assert(wire::Frame::kBatchFieldNumber < 16);
    return begins_with(frame, wire::Frame::kBatchFieldNumber);
}

bool is_end_frame(std::string_view frame) {
    static_assert(wire::Frame::kEndFieldNumber < 16);
    return begins_with(frame, wire::Frame::kEndFieldNumber);
}

std::string goes_on_in(std::string_view where) {
    return std::string(kGoesOnIn).append(where);
}

bool says_goes_on(std::string_view reason) {
    return reason.starts_with(kGoesOnIn);
}

bool is_name_frame(std::string_view frame) {
    for (const int field :
         {wire::Frame::kHelloFieldNumber, wire::Frame::kSourceFieldNumber, wire::Frame::kChannelFieldNumber,
          wire::Frame::kThreadFieldNumber, wire::Frame::kClockFieldNumber}) {
        if (begins_with(frame, field)) return true;
    }
    return false;
}

bool RepeatedNames::is_known(std::string_view bytes) {
    wire::Frame frame;
    if (is_batch_frame(bytes) || !wire::parse_message(bytes, frame)) return false;
    switch (frame.body_case()) {
        case wire::Frame::kHello:
        case wire::Frame::kChannel:
        case wire::Frame::kThread:
        case wire::Frame::kClock:
            if (known_.contains(bytes)) return true;
            known_.emplace(bytes);
            return false;
        case wire::Frame::kSource: {
            std::string& newest = newest_source_[frame.source().id()];
            if (newest == bytes) return true;
            newest = bytes;
            return false;
        }
        default: return false;
    }
}

}  // namespace sla::capture
