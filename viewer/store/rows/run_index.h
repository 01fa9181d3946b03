// RunIndex: what a run's rows say about intervals, so that it is answered in O(log n): blocks of 64 rows carry their
// first tick, the level and the ticks spent high before it, and a leaf (min, max) of the value forest; and its spans. Takes
// the rows' columns in order, some 20 ns a row.
#pragma once

#include "viewer/store/rows/run_rows.h"
#include "viewer/store/rows/segment_forest.h"
#include "viewer/store/rows/span_table.h"

#include <cstdint>
#include <vector>

namespace sla::store {

// What holds where a run begins.
struct RunStart {
    std::uint64_t index = 0;    // of its first row
    std::uint64_t span_id = 0;  // of the first span that begins in it
    Level level = Level::kUnknown;
    std::vector<NumberedSpan> open;  // spans that have begun before, in order of id
    std::uint64_t rows = 0;          // how many will come, at most; 0: any number
    std::uint64_t begins = 0;        // of those, how many begin a span
};

class RunIndex {
public:
    RunIndex() = default;
    explicit RunIndex(const RunStart& start);

    // Those rows of the run that it has not taken yet; they must not go backwards (checked).
    void take(const RunRows& rows);
    // No more will come: before anything is asked of a run whose number of rows was given.
    void settle() { spans_.settle(); }

    // Of the rows [first, last): of all numbers; of the finite ones.
    [[nodiscard]] ValueRange range_of(const RunRows& rows, std::uint64_t first, std::uint64_t last) const;
    [[nodiscard]] ValueRange finite_range_of(const RunRows& rows, std::uint64_t first, std::uint64_t last) const;
    // After all rows before `behind` (an index beyond the first), which are at or before that tick; ticks high count from the
    // run's first row. O(64).
    [[nodiscard]] LevelState level_behind(const RunRows& rows, std::uint64_t behind, std::uint64_t tick) const;
    [[nodiscard]] LevelState level_at_end() const { return {level_, high_}; }
    // Ticks between two neighbouring rows.
    [[nodiscard]] std::uint64_t longest_pause() const { return longest_pause_; }
    // kind_bit of every kind that occurs.
    [[nodiscard]] std::uint8_t kinds() const { return kinds_; }
    [[nodiscard]] bool has_values() const { return has_values_; }
    [[nodiscard]] const SpanTable& spans() const { return spans_; }
    [[nodiscard]] SpanTable& spans() { return spans_; }

    // O(1).
    [[nodiscard]] std::uint64_t memory_bytes() const;
    // That of a run which begins so, when it is whole.
    [[nodiscard]] static std::uint64_t bytes_for(const RunStart& start);

private:
    static constexpr std::size_t kBlockEvents = 64;
    struct Block {
        std::uint64_t first_tick = 0;
        std::uint64_t high_before = 0;  // ticks spent high before first_tick
        Level level_before = Level::kUnknown;
    };

    void open_block(std::uint64_t tick);
    void close_block();
    // Rows [begin, end) of the columns, the first of which has that index: they change no level, report no loss, and
    // lie in the open block.
    void take_common(const Columns& columns, std::size_t begin, std::size_t end, std::uint64_t index);
    // A level, or a loss.
    void take_one(const Event& event, std::uint64_t index);
    void match_spans(const Columns& columns, std::size_t begin, std::size_t end, std::uint64_t index);
    void widen(std::uint8_t code, const std::uint64_t* begin, const std::uint64_t* end);
    void widen_by_floats(const std::uint64_t* begin, const std::uint64_t* end);
    // `takes(number)`: whether it counts; of whole blocks `blocks` says it.
    template <typename Takes>
    [[nodiscard]] ValueRange range_over(const RunRows& rows, std::uint64_t first, std::uint64_t last,
                                        const SegmentForest<ValueRange>& blocks, Takes takes) const;

    std::vector<Block> blocks_;
    SegmentForest<ValueRange> ranges_;  // whole blocks only
    // The same of finite numbers alone; without leaves while `ranges_` says it, for no block has infinite ones.
    SegmentForest<ValueRange> finite_ranges_;
    bool has_infinite_block_ = false;
    ValueRange open_range_;           // of the newest, unfinished block, finite numbers alone,
    ValueRange open_infinite_range_;  // and what infinite ones widen it to
    SpanTable spans_;
    std::uint64_t taken_ = 0;
    std::uint64_t last_tick_ = 0;
    std::uint64_t longest_pause_ = 0;
    std::uint64_t high_ = 0;  // ticks spent high up to last_tick_
    Level level_ = Level::kUnknown;
    std::uint8_t kinds_ = 0;
    bool has_values_ = false;
};

}  // namespace sla::store
