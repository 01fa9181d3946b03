#include "agent/retain/missed_frame.h"

#include "proto/wire/batch_codec.h"
#include "proto/wire/capture.pb.h"
#include "proto/wire/frame_codec.h"
#include "proto/wire/missing_rows.h"

namespace sla::retain {

std::string missed_frame(ChannelId channel, std::uint64_t index, std::span<const Missed> missed) {
    wire::EventBatch batch;
    batch.channel = channel;
    batch.first_index = index;
    for (const Missed& one : missed) {
        wire::Extra extra;
        extra.position = static_cast<std::uint32_t>(batch.size());
        extra.cause = one.cause;
        extra.until_tick = one.until_tick;
        batch.extras.push_back(extra);
        batch.add(one.tick, SLA_CODE_GAP, one.events, 0);
    }
    wire::Frame frame;
    wire::encode_batch(batch, *frame.mutable_batch());
    return wire::encode_frame(frame);
}

bool is_missed_frame(const Delivery& delivery) {
    constexpr std::uint32_t kMostRows = 2;  // what was not kept, and what came since
    if (delivery.facts.rows == 0 || delivery.facts.rows > kMostRows) return false;
    wire::Frame frame;
    wire::EventBatch batch;
    if (!wire::parse_message(delivery.message(), frame) || !wire::decode_batch(frame.batch(), batch)) return false;
    return !batch.extras.empty() && wire::explains_missing_rows(batch.extras.front().cause);
}

}  // namespace sla::retain
