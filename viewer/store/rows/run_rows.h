// RunRows: the rows of a run, in columns.
//
//   chunk 0 (4096 rows)            chunk 1                    ...     chunks never move once made, but for the first
//   ├ ticks   u64 ────────────┤    ├ ...
//   ├ values  u64             │
//   ├ threads u32             │
//   └ codes   u8  ────────────┘
//   ┌ details u64 ────────────┐    two columns, each from the first row of the chunk on that has such a word
//
// A run's first chunk begins with 64 rows and grows, since of tens of thousands of lanes most have a few. Texts are a sparse
// table (TextTable). Taking rows in is copying columns: some 2 ns a row. shared() gives the rows there are now, for other
// threads, in O(chunks): no row that is there ever changes.
#pragma once

#include "proto/base/check.h"
#include "proto/wire/event.h"
#include "viewer/store/rows/row_types.h"
#include "viewer/store/rows/text_table.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace sla::store {

// Rows that lie together in memory.
struct Columns {
    std::size_t rows = 0;
    const std::uint64_t* ticks = nullptr;
    const std::uint64_t* values = nullptr;
    const std::uint32_t* threads = nullptr;
    const std::uint8_t* codes = nullptr;
};

class RunRows {
public:
    static constexpr std::size_t kChunkEvents = 4096;
    static constexpr std::size_t kFirstRows = 64;
    static constexpr std::uint64_t kRowBytes = wire::EventBatch::kRowBytes;  // in columns, the same

    RunRows() = default;
    // The index of its first row; how many will come, at most, or 0: any number.
    RunRows(std::uint64_t base, std::uint64_t expected) : base_(base), expected_(expected) {}
    RunRows(RunRows&&) noexcept = default;
    RunRows& operator=(RunRows&&) noexcept = default;
    // The same rows, to which none may be added.
    [[nodiscard]] RunRows shared() const;

    // Rows that do not go backwards, from the batch's event `skip` on.
    void append(const wire::EventBatch& batch, std::size_t skip);
    void append(const Event& event);

    [[nodiscard]] std::uint64_t first_index() const { return base_; }
    [[nodiscard]] std::uint64_t end_index() const { return base_ + size_; }
    [[nodiscard]] std::uint64_t size() const { return size_; }
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

    [[nodiscard]] bool has_texts() const { return !texts_.empty(); }
    // Empty when the event has none of its own.
    [[nodiscard]] std::string_view text(std::uint64_t index) const {
        return texts_.empty() ? std::string_view() : texts_.of(index, base_, size_);
    }
    // Both zero when the event has none.
    [[nodiscard]] wire::Details details(std::uint64_t index) const {
        const Chunk& in = chunk(index - base_);
        const std::size_t slot = (index - base_) % kChunkEvents;
        return {in.details[0] ? in.details[0][slot] : 0, in.details[1] ? in.details[1][slot] : 0};
    }
    // Rows [first, first + rows) as a batch again, without what its loss rows say beside their number.
    void copy_to(wire::EventBatch& batch, std::uint64_t first, std::size_t rows) const;

    // O(1).
    [[nodiscard]] std::uint64_t memory_bytes() const;

private:
    RunRows(const RunRows&) = delete;

    struct Chunk {
        explicit Chunk(std::size_t space);
        std::size_t rows;                     // that there is space for
        std::shared_ptr<std::byte[]> memory;  // of all columns
        std::uint64_t* ticks;
        std::uint64_t* values;
        std::uint32_t* threads;
        std::uint8_t* codes;
        std::array<std::shared_ptr<std::uint64_t[]>, 2> details;  // null: no row has that word
    };

    const Chunk& chunk(std::uint64_t offset) const { return chunks_[offset / kChunkEvents]; }
    [[nodiscard]] std::size_t rows_of_next_chunk() const;
    void grow(Chunk& full);
    void add_column(Chunk& chunk, std::size_t word);
    // The chunk that the next row, of that tick, goes to.
    Chunk& open_chunk(std::uint64_t tick);
    // Of the batch's rows [first, first + rows), which went there.
    void put_details(const wire::EventBatch& batch, std::size_t first, std::size_t rows, Chunk& to, std::size_t slot);

    std::vector<Chunk> chunks_;
    std::vector<std::uint64_t> chunk_first_;  // first tick of each chunk
    TextTable texts_;
    std::uint64_t detail_bytes_ = 0;
    std::uint64_t base_ = 0;
    std::uint64_t expected_ = 0;
    std::uint64_t size_ = 0;
    std::uint64_t last_tick_ = 0;
};

}  // namespace sla::store
