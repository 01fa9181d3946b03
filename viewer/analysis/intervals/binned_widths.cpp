#include "viewer/analysis/intervals/binned_widths.h"

#include <algorithm>

namespace sla::analysis {

void BinnedWidths::widen(std::uint64_t min, std::uint64_t max) {
    if (counts_.empty()) counts_.assign(kWidthBins, 0);
    min_ = empty() ? min : std::min(min_, min);
    max_ = std::max(max_, max);
}

void BinnedWidths::add(std::uint64_t width, std::uint64_t count) {
    widen(width, width);
    count_ += count;
    counts_[width_bin(width)] += count;
    sum_ += WideTicks{width} * count;
    squares_ += WideTicks{width} * width * count;
}

void BinnedWidths::add(const WidthSums& sums) {
    if (sums.count == 0) return;
    widen(sums.min, sums.max);
    count_ += sums.count;
    sum_ += sums.sum;
    squares_ += sums.squares;
    for (const WidthBin& bin : sums.bins) counts_[bin.bin] += bin.count;
}

void BinnedWidths::add(const WidthCounts& widths) {
    widths.each_unsorted([this](std::uint64_t width, std::uint64_t count) { add(width, count); });
}

WidthRange BinnedWidths::range_of(std::uint16_t bin) const {
    return {std::max(least_width(bin), min_), std::min(most_width(bin), max_)};
}

std::uint64_t BinnedWidths::middle(std::uint16_t bin) const {
    const auto [least, most] = range_of(bin);
    return least + (most - least) / 2;
}

WidthRange BinnedWidths::within(std::uint64_t rank) const {
    std::uint16_t bin = 0;
    for (std::uint64_t left = rank; counts_[bin] < left; ++bin) left -= counts_[bin];
    return range_of(bin);
}

std::uint64_t BinnedWidths::at_rank(std::uint64_t rank) const {
    const auto [least, most] = within(rank);
    return least + (most - least) / 2;
}

std::uint64_t BinnedWidths::mode() const {
    return middle(static_cast<std::uint16_t>(std::max_element(counts_.begin(), counts_.end()) - counts_.begin()));
}

long double BinnedWidths::mean() const {
    return static_cast<long double>(sum_) / static_cast<long double>(count_);
}

// About a whole number next to the mean, where nothing is rounded: squares less squares of nearly the same size.
long double variance_of(std::uint64_t count, WideTicks sum, WideTicks squares) {
    const WideTicks near = sum / count;
    const auto rest = static_cast<long double>(sum - near * count);
    const auto about = static_cast<long double>(squares - 2 * near * sum + near * near * count);
    const auto all = static_cast<long double>(count);
    return std::max((about - rest * rest / all) / all, 0.0L);
}

}  // namespace sla::analysis
