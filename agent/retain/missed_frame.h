// The frame that reports to a reader what of a channel it does not get.
#pragma once

#include "agent/retain/delivery.h"
#include "proto/wire/event.h"

#include <cstdint>
#include <span>
#include <string>

namespace sla::retain {

struct Missed {
    wire::LossCause cause = wire::LossCause::kNone;
    std::uint64_t tick = 0;  // they lie in [tick, until_tick]
    std::uint64_t until_tick = 0;
    std::uint64_t events = 0;  // 0: nobody knows how many
};

// A batch of one gap row for each, in their order.
std::string missed_frame(ChannelId channel, std::uint64_t index, std::span<const Missed> missed);
// Of what a retention delivers: such a frame. All that it stands for is counted in its reader's cursor.
bool is_missed_frame(const Delivery& delivery);

}  // namespace sla::retain
