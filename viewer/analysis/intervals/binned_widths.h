// BinnedWidths: widths of which only sums are known, added up. Count, least, greatest, mean and spread are exact; a rank is
// known by its bin, 1/64 of its size wide: what is given is the bin's middle, which is no further off than kMaxError.
//
// Cost: some ns a bin to add. Memory: 30 KiB, once there are any. Value type.
#pragma once

#include "proto/capture/summary/interval_sums.h"
#include "viewer/analysis/intervals/width_counts.h"

#include <cstdint>
#include <vector>

namespace sla::analysis {

struct WidthRange {
    std::uint64_t least = 0;
    std::uint64_t most = 0;
};

// Of so many widths with these sums, divided by their number.
long double variance_of(std::uint64_t count, WideTicks sum, WideTicks squares);

class BinnedWidths {
public:
    // Of the true width.
    static constexpr double kMaxError = 1.0 / 128;

    void add(std::uint64_t width, std::uint64_t count);
    void add(const WidthSums& sums);
    void add(const WidthCounts& widths);

    [[nodiscard]] bool empty() const { return count_ == 0; }
    [[nodiscard]] std::uint64_t size() const { return count_; }
    // What follows: not when empty.
    [[nodiscard]] std::uint64_t front() const { return min_; }
    [[nodiscard]] std::uint64_t back() const { return max_; }
    [[nodiscard]] std::uint64_t at_rank(std::uint64_t rank) const;
    // Its bin.
    [[nodiscard]] WidthRange within(std::uint64_t rank) const;
    // The middle of the fullest bin, of the lowest of several.
    [[nodiscard]] std::uint64_t mode() const;
    [[nodiscard]] long double mean() const;
    // Of all, divided by their number.
    [[nodiscard]] long double variance() const { return variance_of(count_, sum_, squares_); }

    // visit(width, count) for the middle of every bin that is not empty, rising.
    template <typename Visit>
    void each(Visit visit) const {
        for (std::size_t bin = 0; bin < counts_.size(); ++bin) {
            if (counts_[bin] != 0) visit(middle(static_cast<std::uint16_t>(bin)), counts_[bin]);
        }
    }

private:
    void widen(std::uint64_t min, std::uint64_t max);
    [[nodiscard]] WidthRange range_of(std::uint16_t bin) const;
    [[nodiscard]] std::uint64_t middle(std::uint16_t bin) const;

    std::vector<std::uint64_t> counts_;  // a bin each, or empty
    std::uint64_t count_ = 0;
    std::uint64_t min_ = 0;
    std::uint64_t max_ = 0;
    WideTicks sum_ = 0;
    WideTicks squares_ = 0;
};

}  // namespace sla::analysis
