// What readers get of the retention.
#pragma once

#include "agent/retain/fresh_summaries.h"
#include "agent/retain/reader_account.h"
#include "proto/base/strong_id.h"
#include "proto/capture/frame_facts.h"
#include "proto/wire/frame_codec.h"

#include <algorithm>
#include <cstdint>
#include <string_view>

namespace sla::retain {

// What is known of an encoded batch without decoding it.
struct BatchFacts {
    ChannelId channel;
    std::uint64_t first_index = 0;
    std::uint64_t first_tick = 0;
    std::uint64_t last_tick = 0;
    std::uint32_t rows = 0;
    std::uint64_t offered = 0;     // events in it, plus the events its gap rows stand for
    std::uint64_t loss_until = 0;  // the latest tick to which its gap rows reach

    // Something of it, a row or a loss, may lie here, and nothing behind.
    [[nodiscard]] std::uint64_t reach() const { return std::max(last_tick, loss_until); }
};

// One frame on its way to a reader, with its stream header.
struct Delivery {
    SharedFrame frame;
    BatchFacts facts;                 // rows == 0: not a batch
    SharedSummary summary = nullptr;  // of a batch, for recorders, when there is one

    // As files keep it, and the facts that go with it.
    [[nodiscard]] std::string_view message() const { return std::string_view(*frame).substr(wire::kFrameHeaderBytes); }
    [[nodiscard]] capture::FrameFacts frame_facts() const {
        return {facts.channel.value, facts.first_tick, facts.last_tick, facts.rows, facts.first_index, summary.get()};
    }
};

}  // namespace sla::retain
