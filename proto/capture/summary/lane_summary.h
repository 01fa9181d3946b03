// What lies in a run of one channel's rows, without the rows: what a picture from afar, a table's scroll bar and a search
// need to know. A capture file keeps one for each channel of each chunk, and one for each cell of it (kCellRows rows).
#pragma once

#include "proto/base/strong_id.h"
#include "proto/wire/event.h"

#include <cstdint>

namespace sla::capture {

// A level is unknown before its first event and after a loss, until the next level event.
enum class Level : std::uint8_t { kUnknown, kLow, kHigh };

// Rows are events and gap rows. Ticks are raw. What is said of ticks spent high or busy is exact between first_tick and
// last_tick; from there to the next summary of the channel the state is level_after and depth_after.
struct LaneSummary {
    ChannelId channel;
    std::uint64_t first_index = 0;  // ordinal of the first row within the channel
    std::uint64_t first_tick = 0;
    std::uint64_t last_tick = 0;
    std::uint64_t rows = 0;
    std::uint64_t gap_rows = 0;
    std::uint64_t lost = 0;           // events, by the gap rows
    std::uint64_t longest_pause = 0;  // ticks between two neighbouring rows of it
    std::uint64_t high_ticks = 0;     // at a high level
    std::uint64_t busy_ticks = 0;     // within at least one span
    std::uint64_t begins = 0;         // rows that begin a span
    std::uint64_t loose_ends = 0;     // ends that found no span open
    double min = 0;                   // over the values, gap rows aside, when has_value
    double max = 0;
    std::uint32_t depth_before = 0;  // spans open before the first row
    std::uint32_t depth_after = 0;
    std::uint32_t deepest = 0;    // most spans open anywhere in it
    std::uint32_t span_rows = 0;  // the greatest row a span of it stands in, plus one
    std::uint8_t kinds = 0;       // bit n: some row is of wire::Kind n
    Level level_before = Level::kUnknown;
    Level level_after = Level::kUnknown;
    bool has_value = false;
    bool has_number = false;  // some value is neither a level's nor a gap's
    bool has_text = false;    // some row has a text of its own
    bool opaque = false;  // some batch could not be read (its rows' number and ticks are known), or spans were not counted

    // `next` follows directly on this one, in the same channel.
    void absorb(const LaneSummary& next);
};

inline constexpr std::uint32_t kCellRows = 512;

// Spans are drawn in rows: each in the lowest that no other open span of the lane held when it began; all beyond share the
// last one.
inline constexpr std::uint16_t kMaxSpanRows = 256;

// A span that had begun and not ended where a chunk begins.
struct OpenSpan {
    ChannelId channel;
    std::uint64_t begin_tick = 0;
    std::uint64_t value = 0;  // bits; 0 without one
    std::uint32_t thread = 0;
    std::uint8_t code = 0;    // SLA_CODE_BEGIN or SLA_CODE_BEGIN_VALUE
    std::uint16_t row = 0;    // below kMaxSpanRows
    std::uint16_t depth = 0;  // spans of its thread around it
    // How many began before it in the channel, in this file; of one that began in an earlier piece of the capture 2^64 less
    // how many began in the channel from it on to the file's begin.
    std::uint64_t id = 0;
    std::uint64_t begin_index = 0;  // ordinal of its row within the channel
};

// By their ids.
constexpr bool began_before(std::uint64_t id, std::uint64_t other) {
    return static_cast<std::int64_t>(id) < static_cast<std::int64_t>(other);
}

// A span that ended in a later chunk than it began in; each is listed once, where it ends.
struct CrossedSpan {
    OpenSpan span;  // but for value and code
    std::uint64_t end_tick = 0;
    std::uint64_t end_index = 0;
    bool cut = false;  // by the loss row at end_index
};

// A loss row.
struct GapRow {
    ChannelId channel;
    std::uint64_t index = 0;  // ordinal within the channel
    std::uint64_t tick = 0;
    std::uint64_t until_tick = 0;  // 0: not known
    std::uint64_t lost = 0;
    std::uint32_t thread = 0;
    wire::LossCause cause = wire::LossCause::kNone;
};

// No more than this many are remembered for a channel and thread, the outermost; depth counts all. Enough that all others
// stand in the last row.
inline constexpr std::size_t kRememberedSpans = kMaxSpanRows;

}  // namespace sla::capture
