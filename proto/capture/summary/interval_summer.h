// The IntervalSums of one channel as its batches go by: page by page, each for itself.
//
// 1 to 2 ns a row (tests/bench/size_bench shows it with all else the writer does); of rows that come summed up some ns a bin.
// Memory: two bytes a row of the page, of the latter 15 KiB at most. One owner, one thread.
#pragma once

#include "proto/capture/summary/interval_sums.h"
#include "proto/wire/event.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace sla::capture {

// Sorts bin numbers by counting them. One serves any number of channels.
class BinCounter {
public:
    enum class Order : std::uint8_t { kRising, kAny };
    // Any: a bin may come several times, too, where that is quicker.
    explicit BinCounter(Order order = Order::kRising) : order_(order) {}
    // Empties `numbers` and `counted` (a bin may come several times), which lie in [least, most]; the bins that occur are
    // the result.
    void count(std::vector<std::uint16_t>& numbers, std::vector<WidthBin>& counted, std::uint16_t least, std::uint16_t most,
               std::vector<WidthBin>& bins);

private:
    static void sort_few(const std::vector<std::uint16_t>& numbers, std::vector<WidthBin>& counted,
                         std::vector<WidthBin>& bins);
    void empty(std::uint16_t least, std::uint16_t most, std::vector<WidthBin>& bins);

    Order order_;
    // Of single numbers: several times, so that equal neighbours need not wait for each other. All zero between calls.
    std::array<std::array<std::uint32_t, kWidthBins>, 4> counts_{};
};

// Widths of one page.
class WidthSummer {
public:
    void add(std::uint64_t width);
    // From `before` to the first of these ticks, and from each to the next one. Gives the greatest without that to the
    // first; what goes back does not count in it.
    std::uint64_t add_since(std::uint64_t before, const std::uint64_t* begin, const std::uint64_t* end);
    // All of these.
    void add(const WidthSums& sums);
    // False: one of them was negative, nothing is known of all.
    [[nodiscard]] bool take(WidthSums& out, BinCounter& counter);
    [[nodiscard]] std::size_t bytes() const {
        return bins_.capacity() * sizeof(bins_[0]) + counted_.capacity() * sizeof(WidthBin) +
               table_.capacity() * sizeof(table_[0]);
    }

private:
    [[nodiscard]] bool is_empty() const { return bins_.empty() && sums_.count == 0; }

    WidthSums sums_;                    // its count is of those that came in sums
    std::vector<std::uint16_t> bins_;   // of every width that came by itself
    std::vector<WidthBin> counted_;     // of the others, or, when that is long,
    std::vector<std::uint32_t> table_;  // by bin
    bool is_sound_ = true;
};

class IntervalSummer {
public:
    void add(const wire::EventBatch& batch) { add(batch, 0, batch.size()); }
    // The batch's rows [begin, end).
    void add(const wire::EventBatch& batch, std::size_t begin, std::size_t end);
    // One row.
    void add_row(std::uint64_t tick, bool is_gap);
    // Those of rows none of which is a gap, at least one; with the spans among them.
    void add(const IntervalSums& rows);
    // Rows none of which is a gap, at least one. Gives the longest pause between two of them.
    std::uint64_t add_events(const std::uint64_t* begin, const std::uint64_t* end);
    // A span that began and ended in the page; one that was cut there.
    void add_span(std::uint64_t begin_tick, std::uint64_t end_tick) { spans_.add(end_tick - begin_tick); }
    // As many, as wide as from `before` to the first of these, and from each to the next one.
    void add_spans(std::uint64_t before, const std::uint64_t* begin, const std::uint64_t* end) {
        spans_.add_since(before, begin, end);
    }
    void add_cut() { ++sums_.cut; }
    // Something of the page is not known.
    void set_unknown() { is_known_ = false; }

    // Of all that was added since the last call; false when it is not known.
    [[nodiscard]] bool take(IntervalSums& out, BinCounter& counter);
    // What it takes in memory beside itself.
    [[nodiscard]] std::size_t bytes() const { return widths_.bytes() + spans_.bytes(); }

private:
    // So many events follow. True: the interval to the first of them counts.
    bool join(std::uint64_t first, std::uint64_t last, std::uint64_t events);

    IntervalSums sums_;  // but for the widths
    WidthSummer widths_;
    WidthSummer spans_;
    bool is_known_ = true;
};

}  // namespace sla::capture
