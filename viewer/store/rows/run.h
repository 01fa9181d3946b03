// Run: neighbouring rows of one lane in memory (RunRows), and the index that answers "what lies in this interval" in
// O(log n) (RunIndex). Lanes are made of runs: one that grows, and pages read from a file.
//
//   grows             rows and index, batch by batch
//   a page of a file  its rows; the index when it is asked for, by whoever asks first: who only walks over rows never pays
//                     for it, and it costs more than reading the rows does
//   shared            the rows that there were at a moment in one that grows, in the same memory; the index as of a page
//
// Events are in tick order; gaps are events too (code SLA_CODE_GAP, value = number lost). Indices are the lane's: this run
// holds [first_index, first_index + size). Append-only: nothing ever changes but open spans, which close. One owner while it
// grows; then any thread may read.
#pragma once

#include "viewer/store/rows/gap_table.h"
#include "viewer/store/rows/run_index.h"
#include "viewer/store/rows/run_rows.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string_view>
#include <vector>

namespace sla::store {

class Run {
public:
    static constexpr std::size_t kChunkEvents = RunRows::kChunkEvents;

    Run() = default;
    // When its number of rows is given, nothing but rows is asked of it before it has all of them.
    explicit Run(const RunStart& start);
    // Of those rows, which begin there; the index is made when it is asked for.
    Run(RunStart start, RunRows rows);

    // Appends a batch that does not go backwards (checked when the index is made), from its event `skip` on. Its loss rows
    // are added to `gaps`, which may be null.
    void append(const wire::EventBatch& batch, std::size_t skip, GapTable* gaps);
    // Appends one loss row.
    void append_gap(const Gap& gap, std::uint32_t thread, GapTable* gaps);

    // How it began, which with its rows says all; O(spans that were open there).
    [[nodiscard]] RunStart start() const;
    [[nodiscard]] const RunRows& rows() const { return rows_; }

    [[nodiscard]] std::uint64_t first_index() const { return rows_.first_index(); }
    [[nodiscard]] std::uint64_t end_index() const { return rows_.end_index(); }
    [[nodiscard]] std::uint64_t size() const { return rows_.size(); }
    [[nodiscard]] bool empty() const { return size() == 0; }
    [[nodiscard]] Event operator[](std::uint64_t index) const { return rows_[index]; }
    [[nodiscard]] std::uint64_t tick(std::uint64_t index) const { return rows_.tick(index); }
    [[nodiscard]] std::uint32_t thread(std::uint64_t index) const { return rows_.thread(index); }
    [[nodiscard]] std::uint64_t last_tick() const { return rows_.last_tick(); }
    [[nodiscard]] std::span<const std::uint64_t> ticks_from(std::uint64_t index) const { return rows_.ticks_from(index); }
    [[nodiscard]] Columns columns_from(std::uint64_t index) const { return rows_.columns_from(index); }
    // First index whose tick >= tick; end_index() when none. Starts looking at `from`, an index of the run.
    [[nodiscard]] std::uint64_t lower_bound(std::uint64_t tick, std::uint64_t from) const {
        return rows_.lower_bound(tick, from);
    }
    [[nodiscard]] bool has_texts() const { return rows_.has_texts(); }
    // RunRows'.
    [[nodiscard]] std::string_view text(std::uint64_t index) const { return rows_.text(index); }
    [[nodiscard]] wire::Details details(std::uint64_t index) const { return rows_.details(index); }
    // What its loss rows say beside their number is in the lane's GapTable.
    void copy_to(wire::EventBatch& batch, std::uint64_t first, std::size_t rows) const { rows_.copy_to(batch, first, rows); }

    // Of the rows [first, last): of all numbers; of the finite ones.
    [[nodiscard]] ValueRange range_of(std::uint64_t first, std::uint64_t last) const {
        return index().range_of(rows_, first, last);
    }
    [[nodiscard]] ValueRange finite_range_of(std::uint64_t first, std::uint64_t last) const {
        return index().finite_range_of(rows_, first, last);
    }
    // Ticks high count from the run's first row; before it the level it began with.
    [[nodiscard]] LevelState level_at(std::uint64_t tick) const;
    // RunIndex's.
    [[nodiscard]] LevelState level_behind(std::uint64_t behind, std::uint64_t tick) const {
        return index().level_behind(rows_, behind, tick);
    }
    [[nodiscard]] LevelState level_at_end() const { return index().level_at_end(); }
    [[nodiscard]] Level level_before() const { return first_level_; }
    [[nodiscard]] std::uint64_t longest_pause() const { return index().longest_pause(); }
    [[nodiscard]] std::uint8_t kinds() const { return index().kinds(); }
    [[nodiscard]] bool has_values() const { return index().has_values(); }
    [[nodiscard]] const SpanTable& spans() const { return index().spans(); }
    // SpanTable's; of a run that grows.
    [[nodiscard]] std::vector<std::uint64_t> take_ended_before() { return index_.spans().take_ended_before(); }

    // No question about an interval would have to make the index first.
    [[nodiscard]] bool has_index() const { return late_ == nullptr || late_->is_made.load(std::memory_order_acquire); }
    void make_index() const;

    // Of a page: with its index, made or not. O(1).
    [[nodiscard]] std::uint64_t memory_bytes() const;

private:
    // Of a page.
    struct LateIndex {
        std::mutex mutex;  // of who makes it
        std::atomic<bool> is_made = false;
        std::uint64_t bytes = 0;
    };

    const RunIndex& index() const {
        if (!has_index()) make_index();
        return index_;
    }

    RunRows rows_;
    mutable RunIndex index_;  // of a page nobody reads it before `late_` says that it is made
    std::unique_ptr<LateIndex> late_;
    Level first_level_ = Level::kUnknown;
};

}  // namespace sla::store
