#include "proto/capture/summary/width_summer.h"

#include <algorithm>
#include <bit>
#include <span>
#include <utility>

namespace sla::capture {
namespace {

constexpr std::size_t kMaxCounted = 512;                // then a table takes no more
constexpr std::size_t kKept = std::size_t{1} << 13;     // bin numbers of a page: more of them are counted at once
constexpr std::size_t kMaxKept = std::size_t{1} << 16;  // and of so many the memory is not kept
constexpr std::size_t kShortBlock = 64;                 // of widths, where a long one is among them

}  // namespace

// Where they lie far apart: what does not occur is passed by, 64 at a time.
void BinCounter::count_few(const std::vector<std::uint16_t>& numbers, const std::vector<WidthBin>& counted,
                           std::vector<WidthBin>& bins) {
    auto& sums = counts_[0];
    const auto add = [&](std::uint16_t number, std::uint32_t count) {
        sums[number] += count;
        occurs_[number / 64] |= std::uint64_t{1} << number % 64;
    };
    for (const std::uint16_t number : numbers) add(number, 1);
    for (const WidthBin& one : counted) add(one.bin, one.count);
    for (std::size_t word = 0; word < occurs_.size(); ++word) {
        for (std::uint64_t left = std::exchange(occurs_[word], 0); left != 0; left &= left - 1) {
            const std::size_t number = word * 64 + static_cast<std::size_t>(std::countr_zero(left));
            bins.push_back({static_cast<std::uint16_t>(number), std::exchange(sums[number], 0)});
        }
    }
}

void BinCounter::count_many(const std::vector<std::uint16_t>& numbers, const std::vector<WidthBin>& counted) {
    std::size_t at = 0;
    for (; at + counts_.size() <= numbers.size(); at += counts_.size()) {
        for (std::size_t i = 0; i < counts_.size(); ++i) ++counts_[i][numbers[at + i]];
    }
    for (; at < numbers.size(); ++at) ++counts_[0][numbers[at]];
    for (const WidthBin& one : counted) counts_[0][one.bin] += one.count;
}

// In passes of which all but the last become vectors.
void BinCounter::empty(std::uint16_t least, std::uint16_t most, std::vector<WidthBin>& bins) {
    auto& sums = counts_[0];
    for (std::size_t number = least; number <= most; ++number) {
        sums[number] += counts_[1][number] + counts_[2][number] + counts_[3][number];
        counts_[1][number] = counts_[2][number] = counts_[3][number] = 0;
    }
    const auto range = std::span(sums).subspan(least, most - least + std::size_t{1});
    bins.reserve(range.size() - static_cast<std::size_t>(std::ranges::count(range, std::uint32_t{0})));
    for (std::size_t number = least; number <= most; ++number) {
        if (sums[number] > 0) bins.push_back({static_cast<std::uint16_t>(number), std::exchange(sums[number], 0)});
    }
}

void BinCounter::count(std::vector<std::uint16_t>& numbers, std::vector<WidthBin>& counted, std::uint16_t least,
                       std::uint16_t most, std::vector<WidthBin>& bins) {
    bins.clear();
    if (numbers.size() + counted.size() < most - least + std::size_t{1}) {
        count_few(numbers, counted, bins);
    } else {
        count_many(numbers, counted);
        empty(least, most, bins);
    }
    counted.clear();
    numbers.clear();
    if (numbers.capacity() > kMaxKept) numbers.shrink_to_fit();
}

void WidthSummer::add(std::uint64_t width) {
    if (width >> 63 != 0) {
        is_sound_ = false;
        return;
    }
    sums_.min = is_empty() ? width : std::min(sums_.min, width);
    sums_.max = std::max(sums_.max, width);
    sums_.sum += width;
    sums_.squares += WideTicks{width} * width;
    bins_.push_back(width_bin(width));
}

void WidthSummer::add(const WidthBlock& block, std::uint64_t sum, const std::uint16_t* bins, std::size_t count) {
    sums_.min = is_empty() ? block.least : std::min<std::uint64_t>(sums_.min, block.least);
    sums_.max = std::max<std::uint64_t>(sums_.max, block.most);
    sums_.squares += block.squares;
    sums_.sum += sum;
    bins_.insert(bins_.end(), bins, bins + count);
}

std::uint64_t WidthSummer::add_since(std::uint64_t before, const std::uint64_t* begin, const std::uint64_t* end) {
    std::uint64_t greatest = 0;
    bool is_first = true;
    std::size_t most = kBlockWidths;
    while (begin < end) {
        const auto count = std::min(static_cast<std::size_t>(end - begin), most);
        std::uint16_t bins[kBlockBins];
        WidthBlock block;
        if (sum_widths(before, begin, count, block, bins)) {
            add(block, begin[count - 1] - before, bins, count);
            greatest = std::max<std::uint64_t>(greatest, is_first ? block.most_inside : block.most);
            begin += count;
        } else if (count > kShortBlock) {
            most = kShortBlock;
            continue;
        } else {
            for (const std::uint64_t* stop = begin + count; begin < stop; ++begin) {
                const std::uint64_t width = *begin - std::exchange(before, *begin);
                add(width);
                if (!is_first && width >> 63 == 0) greatest = std::max(greatest, width);
                is_first = false;
            }
        }
        is_first = false;
        before = *(begin - 1);
    }
    return greatest;
}

void WidthSummer::add(const WidthSums& sums, const std::vector<std::uint16_t>& singles) {
    if (sums.count == 0) return;
    sums_.min = is_empty() ? sums.min : std::min(sums_.min, sums.min);
    sums_.max = std::max(sums_.max, sums.max);
    sums_.sum += sums.sum;
    sums_.squares += sums.squares;
    sums_.count += sums.count - singles.size();
    if (bins_.size() + singles.size() > kKept) count_bins();
    bins_.insert(bins_.end(), singles.begin(), singles.end());
    if (table_.empty() && counted_.size() + sums.bins.size() <= kMaxCounted) {
        counted_.insert(counted_.end(), sums.bins.begin(), sums.bins.end());
        return;
    }
    if (table_.empty()) table_.resize(kWidthBins);
    for (const WidthBin& one : counted_) table_[one.bin] += one.count;
    counted_.clear();
    for (const WidthBin& one : sums.bins) table_[one.bin] += one.count;
}

// From here on they are among those that came in sums.
void WidthSummer::count_bins() {
    if (table_.empty()) table_.resize(kWidthBins);
    for (const std::uint16_t bin : bins_) ++table_[bin];
    sums_.count += bins_.size();
    bins_.clear();
}

void WidthSummer::take_sums(WidthSums& out) {
    std::vector<WidthBin> kept = std::move(out.bins);  // their memory
    kept.clear();
    out = std::exchange(sums_, {});
    out.bins = std::move(kept);
    out.count += bins_.size();
}

bool WidthSummer::take(WidthSums& out, BinCounter& counter) {
    take_sums(out);
    const std::uint16_t least = width_bin(out.min);
    const std::uint16_t most = width_bin(out.max);
    if (!table_.empty() && out.count > 0) {
        for (std::size_t bin = least; bin <= most; ++bin) {
            if (table_[bin] > 0) counted_.push_back({static_cast<std::uint16_t>(bin), std::exchange(table_[bin], 0)});
        }
    }
    counter.count(bins_, counted_, least, most, out.bins);
    return std::exchange(is_sound_, true);
}

bool WidthSummer::take(WidthSums& out, std::vector<std::uint16_t>& singles, BinCounter& counter) {
    singles.clear();
    const std::size_t range = is_empty() ? 0 : width_bin(sums_.max) - width_bin(sums_.min);
    if (bins_.size() > 2 * range || !counted_.empty() || !table_.empty()) return take(out, counter);
    take_sums(out);
    singles.assign(bins_.begin(), bins_.end());
    bins_.clear();
    return std::exchange(is_sound_, true);
}

}  // namespace sla::capture
