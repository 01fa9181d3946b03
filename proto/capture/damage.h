// What a reader could not read of a capture file.
#pragma once

#include "proto/base/strong_id.h"
#include "proto/capture/summary/lane_summary.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sla::capture {

// Rows of one channel that are gone.
struct LostRows {
    ChannelId channel;
    std::uint64_t first_index = 0;
    std::uint64_t rows = 0;
    std::uint64_t first_tick = 0;
    std::uint64_t last_tick = 0;
    std::vector<GapRow> losses;     // those of them that told of losses, in order,
    bool are_losses_known = false;  // and no others
};

struct Damage {
    std::uint64_t offset = 0;  // in the file
    std::uint64_t bytes = 0;   // skipped; 0 when something is missing between two chunks
    std::string what;          // "the checksum of a chunk is wrong", "cut off in the middle of a chunk", ...
    // Known when the chunk's own summary survived: which chunk of frames it was, and what was in it.
    std::optional<std::uint64_t> chunk;
    std::vector<LostRows> lost;
    bool harmless = false;  // only a summary or an index is gone, which is made anew: every event is there
    bool has_more = false;  // beside `lost`, rows that nobody knows of

    // Rows may be gone that nothing reports.
    [[nodiscard]] bool is_pending() const { return !harmless && (lost.empty() || has_more); }
};

}  // namespace sla::capture
