// What a piece that is missing may have had: rows of channels that nothing behind it goes on with, so that no ordinals tell.
//
//   a   0 1 2 3 │ missing │ 7 8       the ordinals tell that three rows are gone
//   b   0 1 2   │ missing │           left open: nobody knows, unless the agent says how many events there were in all
#pragma once

#include "proto/capture/capture_index.h"
#include "proto/capture/chunk_reader.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace sla::capture {

// A channel of which rows may be gone.
struct LeftOpen {
    ChannelId channel;
    std::uint64_t next_index = 0;  // of the first of them
    std::uint64_t last_tick = 0;   // of the row before it; 0: there was none
    std::uint64_t events = 0;      // gone; 0: nobody knows how many
    bool has_own_time = false;     // a clock that may run ahead of all others
};

// The channels of some pieces of one run, added in any order. One owner, one thread.
class OpenChannels {
public:
    void add(const CaptureIndex& piece);
    void add(const OpenChannels& others);
    // Those of these pieces, or named by the ones behind what is missing, that have no rows there. Not those of which the agent
    // says that all is here.
    [[nodiscard]] std::vector<LeftOpen> left_open(const OpenChannels& behind) const;
    // Of rows, and of what the pieces say of their end.
    [[nodiscard]] std::uint64_t newest_tick() const { return newest_tick_; }

private:
    static constexpr std::uint64_t kNone = ~std::uint64_t{0};
    struct Channel {
        std::uint32_t source = 0;
        std::uint64_t first_index = kNone;
        std::uint64_t next_index = 0;  // 0: no rows
        std::uint64_t last_tick = 0;
        std::uint64_t events = 0;               // that are here, or that rows say were left out
        bool are_counted = true;                // so many and no more
        std::optional<std::uint64_t> recorded;  // by the agent, as far as it had come,
        bool has_ended = false;                 // once and for all
    };
    void add_rows(const CaptureIndex::Lane& lane);
    void add_count(ChannelId id, std::uint64_t events, bool has_ended);
    // Rows from before the first piece are not here: the agent's counts tell nothing.
    [[nodiscard]] bool begins_late() const;

    std::map<ChannelId, Channel> channels_;
    std::set<std::uint32_t> with_own_time_;  // sources
    std::uint64_t newest_tick_ = 0;
};

// What came before this piece is at or below it, but for sources with a time of their own: its first watermark, else its
// newest row.
std::uint64_t first_watermark(const CaptureIndex& piece, ChunkReader& chunks);

}  // namespace sla::capture
