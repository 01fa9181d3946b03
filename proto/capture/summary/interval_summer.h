// The IntervalSums of one channel as its batches go by: page by page, each for itself.
//
// 1 to 2 ns a row (tests/bench/size_bench shows it with all else the writer does); of rows that come summed up some ns a bin.
// Memory: two bytes a row of the page, of the latter 31 KiB at most. One owner, one thread.
#pragma once

#include "proto/capture/summary/interval_sums.h"
#include "proto/capture/summary/width_summer.h"
#include "proto/wire/event.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sla::capture {

// Of one page, as bins or, where these would take more, one by one.
struct SingleBins {
    std::vector<std::uint16_t> widths;  // of IntervalSums::widths, whose bins are empty then
    std::vector<std::uint16_t> spans;   // likewise
};

class IntervalSummer {
public:
    void add(const wire::EventBatch& batch) { add(batch, 0, batch.size()); }
    // The batch's rows [begin, end).
    void add(const wire::EventBatch& batch, std::size_t begin, std::size_t end);
    // One row.
    void add_row(std::uint64_t tick, bool is_gap);
    // Those of rows none of which is a gap, at least one; with the spans among them.
    void add(const IntervalSums& rows, const SingleBins& singles);
    // Rows none of which is a gap, at least one. Gives the longest pause between two of them.
    std::uint64_t add_events(const std::uint64_t* begin, const std::uint64_t* end);
    // A span that began and ended in the page; one that was cut there.
    void add_span(std::uint64_t begin_tick, std::uint64_t end_tick) { spans_.add(end_tick - begin_tick); }
    // Begins and their ends by turns, so many spans, with `block` and `bins` as of sum_pairs.
    void add_pairs(const std::uint64_t* ticks, std::size_t pairs, const PairBlock& block,
                   const std::uint16_t (&bins)[kBlockBins]);
    // As many, as wide as from `before` to the first of these, and from each to the next one.
    void add_spans(std::uint64_t before, const std::uint64_t* begin, const std::uint64_t* end) {
        spans_.add_since(before, begin, end);
    }
    void add_cut() { ++sums_.cut; }
    // Something of the page is not known.
    void set_unknown() { is_known_ = false; }

    // Of all that was added since the last call; false when it is not known.
    [[nodiscard]] bool take(IntervalSums& out, BinCounter& counter);
    [[nodiscard]] bool take(IntervalSums& out, SingleBins& singles, BinCounter& counter);
    // What it takes in memory beside itself.
    [[nodiscard]] std::size_t bytes() const { return widths_.bytes() + spans_.bytes(); }

private:
    // So many events follow. True: the interval to the first of them counts.
    bool join(std::uint64_t first, std::uint64_t last, std::uint64_t events);
    // But for the widths, whose memory stays with `out`.
    void take_sums(IntervalSums& out);

    IntervalSums sums_;  // but for the widths
    WidthSummer widths_;
    WidthSummer spans_;
    bool is_known_ = true;
};

}  // namespace sla::capture
