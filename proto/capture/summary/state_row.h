// Rows that change what a channel's next rows are seen against: its open spans, its level.
#pragma once

#include "proto/capture/summary/lane_summary.h"
#include "proto/wire/event.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace sla::capture {

struct StateRow {
    std::uint64_t index = 0;  // ordinal within the channel
    std::uint64_t tick = 0;
    std::uint64_t value = 0;
    std::uint64_t until_tick = 0;  // of a loss, as
    wire::LossCause cause = wire::LossCause::kNone;
    std::uint8_t code = 0;
    std::uint32_t thread = 0;
};

// Of a level or a loss.
constexpr Level level_behind(const StateRow& row) {
    if (row.code != SLA_CODE_LEVEL) return Level::kUnknown;
    return row.value != 0 ? Level::kHigh : Level::kLow;
}

StateRow state_row(const wire::EventBatch& batch, std::size_t row);

constexpr bool changes_state(wire::Kind kind) {
    return kind == wire::Kind::kBegin || kind == wire::Kind::kEnd || kind == wire::Kind::kLevel || kind == wire::Kind::kGap;
}

// Whether what stands in [begin, end) equals what stands so many places before it: one fast comparison of the column with itself.
template <typename T>
bool repeats_within(const std::vector<T>& column, std::size_t begin, std::size_t end, std::size_t distance) {
    if (end - begin <= distance) return true;
    return std::memcmp(column.data() + begin, column.data() + begin + distance, (end - begin - distance) * sizeof(T)) == 0;
}

// Behind the rows of one code, or those that change states by turns: begins and ends mostly alternate.
inline std::size_t run_end(const std::vector<std::uint8_t>& codes, std::size_t begin, std::size_t limit) {
    const bool states = changes_state(wire::kind_of(codes[begin]));
    const bool is_one =
        limit - begin < 2 || codes[begin + 1] == codes[begin] || (states && changes_state(wire::kind_of(codes[begin + 1])));
    if (is_one && repeats_within(codes, begin, limit, 2)) return limit;
    std::size_t end = begin + 1;
    while (end < limit && (codes[end] == codes[begin] || (states && changes_state(wire::kind_of(codes[end]))))) ++end;
    return end;
}

// Whether rows [begin, end) are begins and ends of one thread by turns; at least two.
inline bool are_turns(const wire::EventBatch& batch, std::size_t begin, std::size_t end) {
    if (end - begin < 2) return false;
    const wire::Kind first = wire::kind_of(batch.codes[begin]);
    const wire::Kind second = wire::kind_of(batch.codes[begin + 1]);
    const bool is_pair = (first == wire::Kind::kBegin && second == wire::Kind::kEnd) ||
                         (first == wire::Kind::kEnd && second == wire::Kind::kBegin);
    return is_pair && repeats_within(batch.codes, begin, end, 2) && repeats_within(batch.threads, begin, end, 1);
}

// A begin and its end right behind it, the latter not before the former; there is a row behind this one.
inline bool is_pair(const wire::EventBatch& batch, std::size_t row) {
    const std::uint8_t code = batch.codes[row];
    const std::uint8_t next = batch.codes[row + 1];
    return (code == SLA_CODE_BEGIN || code == SLA_CODE_BEGIN_VALUE) &&
           (next == SLA_CODE_END || next == SLA_CODE_END_VALUE) && batch.threads[row] == batch.threads[row + 1] &&
           batch.ticks[row] <= batch.ticks[row + 1];
}

}  // namespace sla::capture
