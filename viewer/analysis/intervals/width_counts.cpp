#include "viewer/analysis/intervals/width_counts.h"

#include <utility>

namespace sla::analysis {

void WidthCounts::start_counting() {
    counts_.assign(kCounted, 0);
    std::vector<std::uint64_t> all;
    all.swap(list_);
    for (const std::uint64_t width : all) {
        if (width < kCounted) {
            ++counts_[width];
        } else {
            list_.push_back(width);
        }
    }
}

void WidthCounts::sort_list() const {
    if (!std::exchange(is_sorted_, true)) std::sort(list_.begin(), list_.end());
}

std::uint64_t WidthCounts::at_rank(std::uint64_t rank) const {
    if (size_ - list_.size() >= rank) {
        std::uint64_t width = 0;
        for (std::uint64_t left = rank; counts_[width] < left; ++width) left -= counts_[width];
        return width;
    }
    sort_list();
    return list_[rank - 1 - (size_ - list_.size())];
}

long double WidthCounts::mean() const {
    long double sum = 0;
    each([&](std::uint64_t width, std::uint64_t count) {
        sum += static_cast<long double>(width) * static_cast<long double>(count);
    });
    return sum / static_cast<long double>(size_);
}

std::uint64_t WidthCounts::drop_above(std::uint64_t most) {
    const std::uint64_t before = size_;
    sort_list();
    const auto first_out = std::upper_bound(list_.begin(), list_.end(), most);
    size_ -= static_cast<std::uint64_t>(list_.end() - first_out);
    list_.erase(first_out, list_.end());
    for (std::uint64_t width = counts_.size(); width-- > 0 && width > most;) size_ -= std::exchange(counts_[width], 0);
    return before - size_;
}

bool WidthCounts::operator==(const WidthCounts& other) const {
    const auto all = [](const WidthCounts& of) {
        std::vector<std::pair<std::uint64_t, std::uint64_t>> pairs;
        of.each([&](std::uint64_t width, std::uint64_t count) { pairs.emplace_back(width, count); });
        return pairs;
    };
    return all(*this) == all(other);
}

}  // namespace sla::analysis
