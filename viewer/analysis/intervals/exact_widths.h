// ExactWidths: the statistics of any number of widths, all of them exact, in memory that does not grow with their number: of
// more than some the same widths are shown twice.
//
//   some     are kept, and that is all                        8 bytes each
//   pass 1   bins 1/64 of their size wide, and sums          8 KiB, of many 22 KiB
//   pass 2   each width in the bins of p50 p90 p99 p999       counted or listed, whichever takes less: of widths that do not
//            and the sum of the fullest one                   overlap in a day some MB at most
//
// Outliers are to be culled: two passes more come first, for the quartiles that tell them.
//
// Cost: some ns a width and pass; up to 8 where thousands of them push each other out of the cache (tests/bench/stats_bench).
// Value type.
#pragma once

#include "proto/capture/summary/interval_sums.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace sla::analysis {

// The rank of so many thousandths of so many, from 1.
constexpr std::uint64_t rank_of_widths(std::uint64_t count, std::uint64_t of_thousand) {
    return count == 0 ? 1 : (count * of_thousand + 999) / 1000;
}
// What is wider is an outlier. The rule is in statistics.h.
constexpr std::uint64_t fence_above(std::uint64_t low_quartile, std::uint64_t high_quartile) {
    const std::uint64_t distance = std::max({high_quartile - low_quartile, high_quartile / 64, std::uint64_t{2}});
    const std::uint64_t most = ~std::uint64_t{0};
    return high_quartile > most - 3 * distance ? most : high_quartile + 3 * distance;
}

class ExactWidths {
public:
    ExactWidths() = default;
    // Up to so many are kept.
    explicit ExactWidths(std::size_t kept, bool cull = false) : most_kept_(kept), is_sizing_(cull) {}

    // Before widths are added, in each pass.
    void begin_pass();
    void add(std::span<const std::uint64_t> widths);
    // All were added. False: nothing is left to know; else they are to be added once more.
    bool end_pass();
    // What the pass takes at most that begins next.
    [[nodiscard]] std::size_t bytes() const;

    // The rest after the last pass. Of widths that were not culled.
    [[nodiscard]] std::uint64_t culled() const { return culled_; }
    [[nodiscard]] bool empty() const { return count_ == 0; }
    [[nodiscard]] std::uint64_t size() const { return count_; }
    // What follows: not when empty.
    [[nodiscard]] std::uint64_t front() const { return least_; }
    [[nodiscard]] std::uint64_t back() const { return greatest_; }
    // Of p50, p90, p99 and p999.
    [[nodiscard]] std::uint64_t at_rank(std::uint64_t rank) const;
    // The mean of the fullest bin, of the lowest of several.
    [[nodiscard]] long double mode() const;
    [[nodiscard]] long double mean() const;
    // Of all, divided by their number.
    [[nodiscard]] long double variance() const;

private:
    enum class Pass : std::uint8_t { kBins, kRanks, kOver };
    // Widths of one bin, of which some rank is asked for.
    struct Near {
        std::uint16_t bin = 0;
        std::uint64_t count = 0;
        std::uint64_t below = 0;  // widths in lower bins
        bool is_counted = false;
        std::vector<std::uint64_t> widths;  // how many of each of the bin's, or all of them, sorted in the end

        [[nodiscard]] std::size_t room() const { return is_counted ? most_width(bin) - least_width(bin) + 1 : count; }
    };
    void begin_bins();
    void add_to_bins(std::span<const std::uint64_t> widths);
    void add_to_ranks(std::span<const std::uint64_t> widths);
    void carry(std::uint16_t bin);
    void keep(std::uint16_t bin, std::uint64_t width);
    void find_ranks();
    void set_fence();
    void take_kept();
    void ask_for(std::uint16_t bin) { asked_[bin / 64] |= std::uint64_t{1} << (bin % 64); }
    [[nodiscard]] bool is_asked_for(std::uint16_t bin) const { return (asked_[bin / 64] >> (bin % 64) & 1) != 0; }
    [[nodiscard]] std::uint64_t count_of(std::uint16_t bin) const;

    std::vector<std::uint64_t> kept_;
    std::size_t most_kept_ = 0;
    bool is_sizing_ = false;  // for the quartiles
    Pass pass_ = Pass::kBins;
    std::uint64_t fence_ = ~std::uint64_t{0};  // wider ones are culled
    std::uint64_t culled_ = 0;

    std::vector<std::uint16_t> bins_;     // how many, by bin; empty until there is a width
    std::vector<std::uint32_t> carries_;  // and how often 65,536 more; empty until some bin has as many
    std::uint64_t count_ = 0;
    std::uint64_t least_ = ~std::uint64_t{0};
    std::uint64_t greatest_ = 0;
    WideTicks sum_ = 0;
    WideTicks squares_ = 0;

    std::vector<std::uint64_t> asked_;  // a bit for each bin in which the second pass looks
    std::vector<Near> near_;            // rising
    std::uint16_t fullest_ = 0;
    std::uint64_t fullest_count_ = 0;
    WideTicks fullest_sum_ = 0;
};

}  // namespace sla::analysis
