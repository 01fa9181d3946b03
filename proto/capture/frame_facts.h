// What a capture file's index wants to know of a frame; leave defaults for frames that are not batches.
#pragma once

#include <cstdint>

namespace sla::capture {

struct FrameFacts {
    std::uint32_t channel = 0;
    std::uint64_t first_tick = 0;
    std::uint64_t last_tick = 0;
    std::uint32_t events = 0;  // 0: not a batch
};

}  // namespace sla::capture
