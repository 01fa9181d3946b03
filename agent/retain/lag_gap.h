// The frame that tells a reader what it was too slow for.
#pragma once

#include "proto/base/strong_id.h"

#include <cstdint>
#include <string>

namespace sla::retain {

// A batch of one gap row: `events` lost in [tick, until_tick].
std::string lag_gap_frame(ChannelId channel, std::uint64_t index, std::uint64_t tick, std::uint64_t until_tick,
                          std::uint64_t events);

}  // namespace sla::retain
