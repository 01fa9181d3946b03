#include "agent/stream/end_frame.h"

#include "proto/wire/capture.pb.h"
#include "proto/wire/frame_codec.h"
#include "proto/wire/utf8.h"

namespace sla::stream {

std::string end_frame(std::uint64_t tick, const std::string& reason) {
    wire::Frame frame;
    frame.mutable_end()->set_tick(tick);
    frame.mutable_end()->set_reason(wire::to_utf8(reason));
    return wire::encode_frame(frame);
}

}  // namespace sla::stream
