// The WidthSums of one page as its widths go by, singly or by the block. One owner, one thread.
#pragma once

#include "proto/capture/summary/interval_sums.h"
#include "proto/capture/summary/width_block.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace sla::capture {

// Sorts bin numbers by counting them. One serves any number of channels.
class BinCounter {
public:
    // Empties `numbers` and `counted` (a bin may come several times), which lie in [least, most]; the bins that occur are
    // the result, rising.
    void count(std::vector<std::uint16_t>& numbers, std::vector<WidthBin>& counted, std::uint16_t least, std::uint16_t most,
               std::vector<WidthBin>& bins);

private:
    void count_few(const std::vector<std::uint16_t>& numbers, const std::vector<WidthBin>& counted,
                   std::vector<WidthBin>& bins);
    void count_many(const std::vector<std::uint16_t>& numbers, const std::vector<WidthBin>& counted);
    void empty(std::uint16_t least, std::uint16_t most, std::vector<WidthBin>& bins);

    // Of single numbers: several times, so that equal neighbours need not wait for each other. All zero between calls.
    std::array<std::array<std::uint32_t, kWidthBins>, 4> counts_{};
    std::array<std::uint64_t, (kWidthBins + 63) / 64> occurs_{};  // bit: the number does; likewise
};

// Widths of one page.
class WidthSummer {
public:
    void add(std::uint64_t width);
    // From `before` to the first of these ticks, and from each to the next one. Gives the greatest without that to the
    // first; what goes back does not count in it.
    std::uint64_t add_since(std::uint64_t before, const std::uint64_t* begin, const std::uint64_t* end);
    // So many, whose bins these are, and their sum.
    void add(const WidthBlock& block, std::uint64_t sum, const std::uint16_t* bins, std::size_t count);
    // All of these, whose bins stand in them or in `singles`.
    void add(const WidthSums& sums, const std::vector<std::uint16_t>& singles);
    // False: one of them was negative, nothing is known of all.
    [[nodiscard]] bool take(WidthSums& out, BinCounter& counter);
    // The same; bins one by one where they are few for the range in which they lie.
    [[nodiscard]] bool take(WidthSums& out, std::vector<std::uint16_t>& singles, BinCounter& counter);
    [[nodiscard]] std::size_t bytes() const {
        return bins_.capacity() * sizeof(bins_[0]) + counted_.capacity() * sizeof(WidthBin) +
               table_.capacity() * sizeof(table_[0]);
    }

private:
    [[nodiscard]] bool is_empty() const { return bins_.empty() && sums_.count == 0; }
    void count_bins();
    void take_sums(WidthSums& out);

    WidthSums sums_;                    // its count is of those that came in sums
    std::vector<std::uint16_t> bins_;   // of every width that came by itself
    std::vector<WidthBin> counted_;     // of the others, or, when that is long,
    std::vector<std::uint32_t> table_;  // by bin
    bool is_sound_ = true;
};

}  // namespace sla::capture
