// Makes the summaries of one channel as its batches go by.
//
//   rows      │ 512 rows │ 512 rows │ 90 │ 512 …
//   cells     │    c     │    c     │ c  │          closed when full, and where a chunk ends
//   chunk     │          S               │          the cells' sum
//
// A few ns a row (tests/bench/size_bench shows it with all else the writer does). One owner, one thread.
#pragma once

#include "proto/capture/summary/batch_summary.h"
#include "proto/capture/summary/interval_summer.h"
#include "proto/capture/summary/lane_summary.h"
#include "proto/capture/summary/open_spans.h"
#include "proto/capture/summary/state_row.h"
#include "proto/wire/event.h"

#include <cstdint>
#include <vector>

namespace sla::capture {

struct ValueRange;

// In LaneSummary::kinds.
constexpr std::uint8_t kinds_bit(wire::Kind kind) {
    return static_cast<std::uint8_t>(1U << static_cast<unsigned>(kind));
}

class LaneSummarizer {
public:
    // What must be known of a channel of which nothing is open and nothing waits to be taken.
    struct Rest {
        std::uint64_t begun = 0;  // spans
        Level level = Level::kUnknown;
        [[nodiscard]] bool is_nothing() const { return begun == 0 && level == Level::kUnknown; }
    };
    explicit LaneSummarizer(ChannelId channel) : LaneSummarizer(channel, Rest{}) {}
    LaneSummarizer(ChannelId channel, const Rest& before) : channel_(channel), open_(before.begun), level_(before.level) {}

    // Batches come in tick order; what goes back in time (a broken stream) is counted as it is, with pauses of 0.
    void add(const wire::EventBatch& batch) { add(batch, 0, batch.size()); }
    // Its rows [begin, end).
    void add(const wire::EventBatch& batch, std::size_t begin, std::size_t end);
    // The same of a batch that was summed up before. False: nothing was done, its rows are wanted (very many spans are open).
    bool add(const BatchSummary& batch);
    // A batch that could not be read.
    void add_opaque(std::uint64_t first_index, std::uint64_t first_tick, std::uint64_t last_tick, std::uint32_t rows);

    [[nodiscard]] bool empty() const { return cells_.empty() && cell_.rows == 0; }
    // Another one made of rest() would go on as this one.
    [[nodiscard]] bool can_rest() const { return empty() && open_.depth() == 0; }
    // The next row begins a cell.
    void end_cell() {
        if (cell_.rows > 0) close_cell();
    }
    // At the next row.
    void set_level(Level level) { level_ = level; }
    // The next rows are of another file.
    void begin_file() { open_.count_anew(); }
    [[nodiscard]] Rest rest() const { return {open_.begun(), level_}; }
    // What it takes in memory, itself included.
    [[nodiscard]] std::size_t bytes() const;
    // The spans open before the first row since the last take().
    [[nodiscard]] const std::vector<OpenSpan>& open_before() const { return open_before_; }
    // Sums over the intervals between the same rows; false when they are not known. Call before take().
    [[nodiscard]] bool take_intervals(IntervalSums& out, BinCounter& counter) { return intervals_.take(out, counter); }
    [[nodiscard]] bool take_intervals(IntervalSums& out, SingleBins& singles, BinCounter& counter) {
        return intervals_.take(out, singles, counter);
    }
    // What was added since the last call: the sum, and (appended) the cells it is made of when there are several.
    LaneSummary take(std::vector<LaneSummary>& cells);
    // What the rows since the last take() ended of spans begun before, and their loss rows. Call before take().
    [[nodiscard]] const std::vector<CrossedSpan>& crossed() const { return crossed_; }
    [[nodiscard]] const std::vector<GapRow>& gaps() const { return gaps_; }

private:
    // A cell of a closed run.
    void add_cell(const LaneSummary& cell, bool knows_level);
    void add_apart(const StateRow& row);
    void start_cell(std::uint64_t index, std::uint64_t tick);
    void close_cell();
    // Rows [begin, end) of one code, or of codes that change states; all in the open cell.
    void add_run(const wire::EventBatch& batch, std::size_t begin, std::size_t end);
    void add_ticks(const std::uint64_t* begin, const std::uint64_t* end);
    // As many pairs as there are of a begin and its end right behind it. Gives the row behind them.
    std::size_t add_pairs(const wire::EventBatch& batch, std::size_t begin, std::size_t end);
    // Of pairs of a begin and its end, up to the tick `last`, in which so many ticks lie inside.
    void add_passed(std::size_t pairs, std::uint64_t last, std::uint64_t inside);
    void add_pause(std::uint64_t tick);
    void add_values(std::uint8_t code, const std::uint64_t* begin, const std::uint64_t* end);
    void add_states(const wire::EventBatch& batch, std::size_t begin, std::size_t end);
    void add_turns(const wire::EventBatch& batch, std::size_t begin, std::size_t end);
    // Begins and ends by turns, kBlockPairs of them at most. False: nothing was done.
    bool add_pair_block(const wire::EventBatch& batch, std::size_t begin, std::size_t pairs);
    void add_state(const StateRow& row);
    void change_state(const StateRow& row);
    void open(const OpenSpan& span);
    void add_gap(const StateRow& row);
    void add_ended(const OpenSpan& span, std::uint64_t tick, std::uint64_t index, bool cut);
    void widen(const ValueRange& values);

    ChannelId channel_;
    LaneSummary cell_;  // being filled
    std::vector<LaneSummary> cells_;
    IntervalSummer intervals_;
    OpenSpans open_;
    std::uint32_t passing_ = 0;  // spans of the closed run that is being added, open behind its last cell
    std::vector<OpenSpan> open_before_;
    std::uint64_t begun_before_ = 0;
    std::vector<CrossedSpan> crossed_;
    std::vector<GapRow> gaps_;
    std::vector<OpenSpan> cut_;  // its memory is kept
    Level level_;
};

}  // namespace sla::capture
