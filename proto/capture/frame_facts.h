// What the sender of a batch says of it; used where the batch itself cannot be read, or need not be. Leave defaults for other
// frames.
#pragma once

#include <cstdint>

namespace sla::capture {

struct BatchSummary;

struct FrameFacts {
    std::uint32_t channel = 0;
    std::uint64_t first_tick = 0;
    std::uint64_t last_tick = 0;
    std::uint32_t events = 0;  // 0: not a batch
    std::uint64_t first_index = 0;
    const BatchSummary* summary = nullptr;  // made of it by a BatchSummarizer: its columns need not be read
};

}  // namespace sla::capture
