#include "viewer/analysis/intervals/exact_widths.h"

#include "viewer/analysis/intervals/binned_widths.h"

#include <algorithm>
#include <array>
#include <utility>

namespace sla::analysis {

namespace {

constexpr std::array<std::uint64_t, 4> kAskedRanks = {500, 900, 990, 999};
constexpr std::array<std::uint64_t, 2> kQuartiles = {250, 750};

std::span<const std::uint64_t> asked_ranks(bool is_sizing) {
    return is_sizing ? std::span<const std::uint64_t>(kQuartiles) : std::span<const std::uint64_t>(kAskedRanks);
}

}  // namespace

void ExactWidths::begin_pass() {
    if (pass_ != Pass::kRanks) return;
    for (Near& near : near_) {
        if (near.is_counted) {
            near.widths.assign(near.room(), 0);
        } else {
            near.widths.reserve(near.room());
        }
    }
}

void ExactWidths::add(std::span<const std::uint64_t> widths) {
    if (pass_ == Pass::kOver) return;
    if (pass_ == Pass::kRanks) {
        add_to_ranks(widths);
    } else if (kept_.size() + widths.size() <= most_kept_) {
        kept_.insert(kept_.end(), widths.begin(), widths.end());
    } else {
        most_kept_ = 0;
        add_to_bins(std::exchange(kept_, {}));
        add_to_bins(widths);
    }
}

// They are all there are.
void ExactWidths::take_kept() {
    const std::vector<std::uint64_t> all = std::exchange(kept_, {});
    most_kept_ = 0;
    do {
        begin_pass();
        add(all);
    } while (end_pass());
    bins_ = {};
    carries_ = {};
}

void ExactWidths::add_to_bins(std::span<const std::uint64_t> widths) {
    if (bins_.empty()) bins_.assign(kWidthBins, 0);
    std::uint64_t least = least_;
    std::uint64_t greatest = greatest_;
    WideTicks sum = 0;
    WideTicks squares = 0;
    for (const std::uint64_t width : widths) {
        if (width > fence_) {
            ++culled_;
            continue;
        }
        ++count_;
        least = std::min(least, width);
        greatest = std::max(greatest, width);
        sum += width;
        squares += WideTicks{width} * width;
        const std::uint16_t bin = width_bin(width);
        if (++bins_[bin] == 0) carry(bin);
    }
    least_ = least;
    greatest_ = greatest;
    sum_ += sum;
    squares_ += squares;
}

void ExactWidths::add_to_ranks(std::span<const std::uint64_t> widths) {
    for (const std::uint64_t width : widths) {
        const std::uint16_t bin = width_bin(width);
        if (is_asked_for(bin) && width <= fence_) keep(bin, width);
    }
}

void ExactWidths::keep(std::uint16_t bin, std::uint64_t width) {
    if (bin == fullest_) fullest_sum_ += width;
    for (Near& near : near_) {
        if (near.bin != bin) continue;
        if (near.is_counted) {
            ++near.widths[width - least_width(bin)];
        } else {
            near.widths.push_back(width);
        }
    }
}

// Seldom: half the room for the bins is worth more, since all pairs of 64 channels then fit into the last cache.
void ExactWidths::carry(std::uint16_t bin) {
    if (carries_.empty()) carries_.assign(kWidthBins, 0);
    ++carries_[bin];
}

std::uint64_t ExactWidths::count_of(std::uint16_t bin) const {
    const std::uint64_t carries = carries_.empty() ? 0 : carries_[bin];
    return (carries << 16) + bins_[bin];
}

void ExactWidths::begin_bins() {
    bins_.assign(bins_.size(), 0);
    carries_.clear();
    near_.clear();
    count_ = greatest_ = 0;
    least_ = ~std::uint64_t{0};
    sum_ = squares_ = 0;
    pass_ = Pass::kBins;
}

// One walk along the bins finds those of all ranks, and the fullest.
void ExactWidths::find_ranks() {
    const auto ranks = asked_ranks(is_sizing_);
    std::uint64_t below = 0;
    std::size_t found = 0;
    fullest_count_ = 0;
    fullest_sum_ = 0;
    for (std::uint16_t bin = 0; bin < kWidthBins; ++bin) {
        const std::uint64_t count = count_of(bin);
        if (count > fullest_count_) {
            fullest_count_ = count;
            fullest_ = bin;
        }
        const std::size_t before = found;
        while (found < ranks.size() && rank_of_widths(count_, ranks[found]) <= below + count) ++found;
        if (found != before) near_.push_back({bin, count, below, most_width(bin) - least_width(bin) < count, {}});
        below += count;
    }
    asked_.assign(kWidthBins / 64, 0);
    for (const Near& near : near_) ask_for(near.bin);
    ask_for(fullest_);
    pass_ = Pass::kRanks;
}

std::size_t ExactWidths::bytes() const {
    std::size_t bytes = sizeof(*this) + kWidthBins * (sizeof(std::uint16_t) + sizeof(std::uint32_t));
    for (const Near& near : near_) bytes += near.room() * sizeof(std::uint64_t);
    return bytes;
}

bool ExactWidths::end_pass() {
    if (pass_ == Pass::kOver) return false;
    if (!kept_.empty()) {
        take_kept();
        return false;
    }
    if (pass_ == Pass::kBins && count_ > 0) {
        find_ranks();
        return true;
    }
    for (Near& near : near_) {
        if (!near.is_counted) std::sort(near.widths.begin(), near.widths.end());
    }
    if (!is_sizing_ || count_ == 0) {
        pass_ = Pass::kOver;
        return false;
    }
    set_fence();
    begin_bins();
    return true;
}

void ExactWidths::set_fence() {
    fence_ = fence_above(at_rank(rank_of_widths(count_, kQuartiles[0])), at_rank(rank_of_widths(count_, kQuartiles[1])));
    is_sizing_ = false;
}

std::uint64_t ExactWidths::at_rank(std::uint64_t rank) const {
    const auto behind = std::find_if(near_.begin(), near_.end(), [&](const Near& near) { return near.below >= rank; });
    const Near& near = *(behind - 1);
    const std::uint64_t left = rank - near.below;
    if (!near.is_counted) return near.widths[left - 1];
    std::uint64_t width = 0;
    for (std::uint64_t seen = near.widths[0]; seen < left; seen += near.widths[width]) ++width;
    return least_width(near.bin) + width;
}

long double ExactWidths::mode() const {
    return static_cast<long double>(fullest_sum_) / static_cast<long double>(fullest_count_);
}

long double ExactWidths::mean() const {
    return static_cast<long double>(sum_) / static_cast<long double>(count_);
}

long double ExactWidths::variance() const {
    return variance_of(count_, sum_, squares_);
}

}  // namespace sla::analysis
