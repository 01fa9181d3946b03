// Frames made by hand.
#pragma once

#include "proto/wire/batch_codec.h"
#include "proto/wire/capture.pb.h"

#include <initializer_list>
#include <string>

namespace sla::ingest {

inline std::string hello_frame(std::uint64_t capture_id = 1, std::uint64_t start_tick = 0, std::uint32_t version = 1) {
    wire::Frame frame;
    frame.mutable_hello()->set_version(version);
    frame.mutable_hello()->set_capture_id(capture_id);
    frame.mutable_hello()->set_start_tick(start_tick);
    return frame.SerializeAsString();
}

inline std::string watermark_frame(std::uint64_t tick) {
    wire::Frame frame;
    frame.mutable_watermark()->set_tick(tick);
    return frame.SerializeAsString();
}

inline std::string source_frame(std::uint32_t id, const std::string& name, std::uint32_t pid = 7) {
    wire::Frame frame;
    frame.mutable_source()->set_id(id);
    frame.mutable_source()->set_name(name);
    frame.mutable_source()->set_pid(pid);
    return frame.SerializeAsString();
}

inline std::string channel_frame(std::uint32_t id, const std::string& name, std::uint32_t source = 1) {
    wire::Frame frame;
    frame.mutable_channel()->set_id(id);
    frame.mutable_channel()->set_source(source);
    frame.mutable_channel()->set_name(name);
    return frame.SerializeAsString();
}

// What a stream of one program begins with: its channels are c1, c2 and so on. put(frame) receives it.
template <typename Put>
void put_names(Put put, std::uint32_t channels) {
    put(hello_frame());
    put(source_frame(1, "p"));
    for (std::uint32_t i = 1; i <= channels; ++i) put(channel_frame(i, "c" + std::to_string(i)));
}

inline wire::EventBatch ticks_batch(std::uint32_t channel, std::uint64_t first_index,
                                    std::initializer_list<std::uint64_t> ticks) {
    wire::EventBatch batch;
    batch.channel = ChannelId{channel};
    batch.first_index = first_index;
    for (const std::uint64_t tick : ticks) batch.add(tick, SLA_CODE_TICK, 0, 1);
    return batch;
}

inline wire::EventBatch gap_batch(std::uint32_t channel, std::uint64_t first_index, std::uint64_t tick, std::uint64_t lost,
                                  wire::LossCause cause) {
    wire::EventBatch batch;
    batch.channel = ChannelId{channel};
    batch.first_index = first_index;
    batch.add(tick, SLA_CODE_GAP, lost, 0);
    wire::Extra extra;
    extra.cause = cause;
    extra.until_tick = tick;
    batch.extras.push_back(extra);
    return batch;
}

inline std::string batch_frame(const wire::EventBatch& batch) {
    wire::Frame frame;
    wire::encode_batch(batch, *frame.mutable_batch());
    return frame.SerializeAsString();
}

inline std::string batch_frame(std::uint32_t channel, std::uint64_t first_index,
                               std::initializer_list<std::uint64_t> ticks) {
    return batch_frame(ticks_batch(channel, first_index, ticks));
}

}  // namespace sla::ingest
