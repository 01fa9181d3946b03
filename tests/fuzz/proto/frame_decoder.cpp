// A stream of frames from a hostile peer. The first byte says how the rest is cut into pieces.
#include "proto/base/check.h"
#include "proto/wire/batch_codec.h"
#include "proto/wire/batch_parser.h"
#include "proto/wire/capture.pb.h"
#include "proto/wire/control.pb.h"
#include "proto/wire/frame_codec.h"
#include "tests/unit/proto/wire/random_batch.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace {

using namespace sla::wire;

void use_message(std::string_view message) {
    SLA_CHECK(!message.empty() && message.size() <= kMaxFrameBytes);
    Request request;
    parse_message(message, request);
    static BatchParser parser;  // keeps its message from one to the next
    Frame frame;
    const bool is_frame = parse_message(message, frame);
    if (const Batch* const taken = parser.parse(message))
        SLA_CHECK(is_frame && frame.has_batch() && frame.batch().SerializeAsString() == taken->SerializeAsString());
    if (!is_frame || !frame.has_batch()) return;
    EventBatch batch;
    if (decode_batch(frame.batch(), batch)) SLA_CHECK(is_valid(batch));
}

// False when the stream is over.
bool drain(FrameDecoder& decoder) {
    for (;;) {
        const auto message = decoder.next();
        if (!message) return false;
        if (!message->has_value()) return true;
        use_message(**message);
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const std::size_t piece = std::size_t{1} + data[0];
    std::string_view rest(reinterpret_cast<const char*>(data) + 1, size - 1);
    FrameDecoder decoder;
    bool alive = true;
    while (!rest.empty()) {
        const std::string_view bytes = rest.substr(0, piece);
        decoder.feed(bytes);
        rest.remove_prefix(bytes.size());
        const bool now = drain(decoder);
        SLA_CHECK(alive || !now);
        alive = now;
    }
    return 0;
}
