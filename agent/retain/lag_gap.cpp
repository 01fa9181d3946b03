#include "agent/retain/lag_gap.h"

#include "proto/wire/batch_codec.h"
#include "proto/wire/capture.pb.h"
#include "proto/wire/frame_codec.h"

namespace sla::retain {

std::string lag_gap_frame(ChannelId channel, std::uint64_t index, std::uint64_t tick, std::uint64_t until_tick,
                          std::uint64_t events) {
    wire::EventBatch batch;
    batch.channel = channel;
    batch.first_index = index;
    batch.add(tick, SLA_CODE_GAP, events, 0);
    wire::Extra extra;
    extra.cause = wire::LossCause::kLagged;
    extra.until_tick = until_tick;
    batch.extras.push_back(std::move(extra));
    wire::Frame frame;
    wire::encode_batch(batch, *frame.mutable_batch());
    return wire::encode_frame(frame);
}

}  // namespace sla::retain
