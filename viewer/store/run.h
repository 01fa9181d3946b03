// Run: neighbouring rows of one lane in memory, in columns, with the indices that answer "what lies in this stretch of time"
// in O(log n). Lanes are made of runs: one that grows, and pages read from a file.
//
//   chunk 0 (4096 events)          chunk 1                    ...     chunks never move once made
//   ├ ticks   u64 ────────────┤    ├ ...
//   ├ values  u64             │    blocks of 64 events carry: first tick, level before it, ticks spent high before it,
//   ├ threads u32             │    and a leaf (min, max) of the value forest
//   └ codes   u8  ────────────┘
//
// Events are in tick order; gaps are events too (code SLA_CODE_GAP, value = number lost). Details and texts are sparse
// tables in order of index. Indices are the lane's: this run holds [first_index, first_index + size). Append-only: nothing
// ever changes but open spans, which close. One owner while it grows; then any thread may read.
#pragma once

#include "proto/wire/event.h"
#include "viewer/store/gap_table.h"
#include "viewer/store/row_types.h"
#include "viewer/store/segment_forest.h"
#include "viewer/store/span_table.h"

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace sla::store {

// What holds where a run begins.
struct RunStart {
    std::uint64_t index = 0;    // of its first row
    std::uint64_t span_id = 0;  // of the first span that begins in it
    Level level = Level::kUnknown;
    std::vector<NumberedSpan> open;  // spans that have begun before, in order of id
    std::uint64_t rows = 0;          // how many will come, at most; 0: any number
};

// Rows that lie together in memory.
struct Columns {
    std::size_t rows = 0;
    const std::uint64_t* ticks = nullptr;
    const std::uint64_t* values = nullptr;
    const std::uint32_t* threads = nullptr;
    const std::uint8_t* codes = nullptr;
};

class Run {
public:
    static constexpr std::size_t kChunkEvents = 4096;
    static constexpr std::size_t kBlockEvents = 64;

    Run() = default;
    explicit Run(const RunStart& start);

    // Appends a batch that does not go backwards (checked), from its event `skip` on. Its loss rows are added to `gaps`,
    // which may be null.
    void append(const wire::EventBatch& batch, std::size_t skip, GapTable* gaps);
    // Appends one loss row.
    void append_gap(const Gap& gap, std::uint32_t thread, GapTable* gaps);
    // No more will come: call before anything is asked of a run whose number of rows was told.
    void settle() { spans_.settle(); }

    [[nodiscard]] std::uint64_t first_index() const { return base_; }
    [[nodiscard]] std::uint64_t end_index() const { return base_ + size_; }
    [[nodiscard]] std::uint64_t size() const { return size_; }
    [[nodiscard]] bool empty() const { return size_ == 0; }
    [[nodiscard]] Event operator[](std::uint64_t index) const {
        const Chunk& in = chunk(index - base_);
        const std::size_t slot = (index - base_) % kChunkEvents;
        return {in.ticks[slot], in.values[slot], in.threads[slot], in.codes[slot]};
    }
    [[nodiscard]] std::uint64_t tick(std::uint64_t index) const {
        return chunk(index - base_).ticks[(index - base_) % kChunkEvents];
    }
    [[nodiscard]] std::uint32_t thread(std::uint64_t index) const {
        return chunk(index - base_).threads[(index - base_) % kChunkEvents];
    }
    [[nodiscard]] std::uint64_t last_tick() const { return last_tick_; }
    [[nodiscard]] std::span<const std::uint64_t> ticks_from(std::uint64_t index) const;
    [[nodiscard]] Columns columns_from(std::uint64_t index) const;

    // First index whose tick >= tick; end_index() when none. Starts looking at `from`, an index of the run.
    [[nodiscard]] std::uint64_t lower_bound(std::uint64_t tick, std::uint64_t from) const;
    // Of the rows [first, last).
    [[nodiscard]] ValueRange range_of(std::uint64_t first, std::uint64_t last) const;
    // Ticks high count from the run's first row; before it the level it began with.
    [[nodiscard]] LevelState level_at(std::uint64_t tick) const;
    // The same after all rows before `behind` (an index beyond the first), which are at or before that tick. O(64).
    [[nodiscard]] LevelState level_behind(std::uint64_t behind, std::uint64_t tick) const;
    [[nodiscard]] LevelState level_at_end() const { return {level_, high_}; }
    [[nodiscard]] Level level_before() const { return first_level_; }
    // Ticks between two neighbouring rows of it.
    [[nodiscard]] std::uint64_t longest_pause() const { return longest_pause_; }

    // kind_bit of every kind that occurs.
    [[nodiscard]] std::uint8_t kinds() const { return kinds_; }
    [[nodiscard]] bool has_values() const { return has_values_; }
    [[nodiscard]] bool has_texts() const { return !texts_.empty(); }
    [[nodiscard]] const SpanTable& spans() const { return spans_; }

    // Null when the event has none of its own.
    [[nodiscard]] const std::string* text(std::uint64_t index) const;
    // Both zero when the event has none.
    [[nodiscard]] std::array<std::uint64_t, 2> details(std::uint64_t index) const;
    // SpanTable's.
    [[nodiscard]] std::vector<std::uint64_t> take_ended_before() { return spans_.take_ended_before(); }
    // Rows [first, first + rows) as a batch again; what its loss rows tell beside their number is in the lane's GapTable.
    void copy_to(wire::EventBatch& batch, std::uint64_t first, std::size_t rows) const;

    // O(1).
    [[nodiscard]] std::uint64_t memory_bytes() const;

private:
    struct Chunk {
        explicit Chunk(std::size_t rows)
            : ticks(std::make_unique_for_overwrite<std::uint64_t[]>(rows)),
              values(std::make_unique_for_overwrite<std::uint64_t[]>(rows)),
              threads(std::make_unique_for_overwrite<std::uint32_t[]>(rows)),
              codes(std::make_unique_for_overwrite<std::uint8_t[]>(rows)) {}
        std::unique_ptr<std::uint64_t[]> ticks;
        std::unique_ptr<std::uint64_t[]> values;
        std::unique_ptr<std::uint32_t[]> threads;
        std::unique_ptr<std::uint8_t[]> codes;
    };
    struct Block {
        std::uint64_t first_tick = 0;
        std::uint64_t high_before = 0;  // ticks spent high before first_tick
        Level level_before = Level::kUnknown;
    };
    struct Detail {
        std::uint64_t index = 0;
        std::array<std::uint64_t, 2> words{};
    };
    struct Text {
        std::uint64_t index = 0;
        std::string text;
    };

    const Chunk& chunk(std::uint64_t offset) const { return chunks_[offset / kChunkEvents]; }
    void open_chunk();
    void open_block(std::uint64_t tick);
    void close_block();
    void push(const Event& event);
    // Rows [begin, end) that change no level and tell of no loss, all within the open block.
    void push_common(const wire::EventBatch& batch, std::size_t begin, std::size_t end);
    void match_spans(const wire::EventBatch& batch, std::size_t begin, std::size_t end);
    void widen(std::uint8_t code, const std::uint64_t* begin, const std::uint64_t* end);
    void push_extra(std::uint64_t index, const wire::Extra& extra);
    void push_gap(const Event& event, std::uint64_t index, const wire::Extra* extra, GapTable* gaps);

    std::vector<Chunk> chunks_;
    std::vector<Block> blocks_;
    SegmentForest<ValueRange> ranges_;        // whole blocks only
    ValueRange open_range_;                   // of the newest, unfinished block
    std::vector<std::uint64_t> chunk_first_;  // first tick of each chunk
    SpanTable spans_;
    std::deque<Detail> details_;
    std::deque<Text> texts_;
    std::size_t text_bytes_ = 0;
    std::uint64_t base_ = 0;
    std::uint64_t expected_ = 0;
    std::uint64_t size_ = 0;
    std::uint64_t last_tick_ = 0;
    std::uint64_t longest_pause_ = 0;
    std::uint64_t high_ = 0;  // ticks spent high up to last_tick_
    Level level_ = Level::kUnknown;
    Level first_level_ = Level::kUnknown;
    std::uint8_t kinds_ = 0;
    bool has_values_ = false;
};

}  // namespace sla::store
