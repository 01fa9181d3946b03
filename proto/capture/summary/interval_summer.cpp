#include "proto/capture/summary/interval_summer.h"

#include "proto/capture/summary/width_block.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace sla::capture {
namespace {

constexpr std::size_t kFew = 64;                     // sorted faster than counted
constexpr std::size_t kMaxCounted = 512;             // then a table takes no more
constexpr std::size_t kKept = std::size_t{1} << 16;  // bin numbers of which the memory is kept from page to page

}  // namespace

void BinCounter::sort_few(const std::vector<std::uint16_t>& numbers, std::vector<WidthBin>& counted,
                          std::vector<WidthBin>& bins) {
    for (const std::uint16_t number : numbers) counted.push_back({number, 1});
    std::sort(counted.begin(), counted.end(), [](const WidthBin& a, const WidthBin& b) { return a.bin < b.bin; });
    for (const WidthBin& one : counted) {
        if (bins.empty() || bins.back().bin != one.bin) bins.push_back({one.bin, 0});
        bins.back().count += one.count;
    }
}

// In two passes, the first of which becomes vectors.
void BinCounter::empty(std::uint16_t least, std::uint16_t most, std::vector<WidthBin>& bins) {
    auto& sums = counts_[0];
    for (std::size_t number = least; number <= most; ++number) {
        sums[number] += counts_[1][number] + counts_[2][number] + counts_[3][number];
        counts_[1][number] = counts_[2][number] = counts_[3][number] = 0;
    }
    for (std::size_t number = least; number <= most; ++number) {
        if (sums[number] > 0) bins.push_back({static_cast<std::uint16_t>(number), std::exchange(sums[number], 0)});
    }
}

void BinCounter::count(std::vector<std::uint16_t>& numbers, std::vector<WidthBin>& counted, std::uint16_t least,
                       std::uint16_t most, std::vector<WidthBin>& bins) {
    bins.clear();
    if (order_ == Order::kAny && numbers.size() < (most - least) / 4U) {
        for (const std::uint16_t number : numbers) bins.push_back({number, 1});
        bins.insert(bins.end(), counted.begin(), counted.end());
    } else if (numbers.size() + counted.size() < kFew) {
        sort_few(numbers, counted, bins);
    } else {
        std::size_t at = 0;
        for (; at + counts_.size() <= numbers.size(); at += counts_.size()) {
            for (std::size_t i = 0; i < counts_.size(); ++i) ++counts_[i][numbers[at + i]];
        }
        for (; at < numbers.size(); ++at) ++counts_[0][numbers[at]];
        for (const WidthBin& one : counted) counts_[0][one.bin] += one.count;
        empty(least, most, bins);
    }
    counted.clear();
    numbers.clear();
    if (numbers.capacity() > kKept) numbers.shrink_to_fit();
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

std::uint64_t WidthSummer::add_since(std::uint64_t before, const std::uint64_t* begin, const std::uint64_t* end) {
    std::uint64_t greatest = 0;
    bool is_first = true;
    while (begin < end) {
        const auto left = static_cast<std::size_t>(end - begin);
        std::uint16_t bins[kBlockWidths];
        WidthBlock block;
        if (left >= kBlockWidths && sum_widths(before, begin, block, bins)) {
            sums_.min = is_empty() ? block.least : std::min<std::uint64_t>(sums_.min, block.least);
            sums_.max = std::max<std::uint64_t>(sums_.max, block.most);
            sums_.squares += block.squares;
            sums_.sum += begin[kBlockWidths - 1] - before;
            bins_.insert(bins_.end(), bins, bins + kBlockWidths);
            greatest = std::max<std::uint64_t>(greatest, is_first ? block.most_inside : block.most);
            begin += kBlockWidths;
        } else {
            for (const std::uint64_t* stop = begin + std::min(left, kBlockWidths); begin < stop; ++begin) {
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

void WidthSummer::add(const WidthSums& sums) {
    if (sums.count == 0) return;
    sums_.min = is_empty() ? sums.min : std::min(sums_.min, sums.min);
    sums_.max = std::max(sums_.max, sums.max);
    sums_.sum += sums.sum;
    sums_.squares += sums.squares;
    sums_.count += sums.count;
    if (table_.empty() && counted_.size() + sums.bins.size() <= kMaxCounted) {
        counted_.insert(counted_.end(), sums.bins.begin(), sums.bins.end());
        return;
    }
    if (table_.empty()) table_.resize(kWidthBins);
    for (const WidthBin& one : counted_) table_[one.bin] += one.count;
    counted_.clear();
    for (const WidthBin& one : sums.bins) table_[one.bin] += one.count;
}

bool WidthSummer::take(WidthSums& out, BinCounter& counter) {
    out = std::exchange(sums_, {});
    out.count += bins_.size();
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

void IntervalSummer::add(const wire::EventBatch& batch, std::size_t begin, std::size_t end) {
    while (begin < end) {
        const void* const gap = std::memchr(batch.codes.data() + begin, SLA_CODE_GAP, end - begin);
        const std::size_t stop =
            gap == nullptr ? end : static_cast<std::size_t>(static_cast<const std::uint8_t*>(gap) - batch.codes.data());
        if (begin < stop) add_events(batch.ticks.data() + begin, batch.ticks.data() + stop);
        if (gap != nullptr) add_row(batch.ticks[stop], true);
        begin = stop + 1;
    }
}

void IntervalSummer::add_row(std::uint64_t tick, bool is_gap) {
    if (is_gap) {
        (sums_.events == 0 ? sums_.gap_before : sums_.gap_after) = true;
    } else {
        add_events(&tick, &tick + 1);
    }
}

void IntervalSummer::add(const IntervalSums& rows) {
    const std::uint64_t before = sums_.last_tick;
    if (join(rows.first_tick, rows.last_tick, rows.events)) widths_.add(rows.first_tick - before);
    widths_.add(rows.widths);
    spans_.add(rows.spans);
}

bool IntervalSummer::join(std::uint64_t first, std::uint64_t last, std::uint64_t events) {
    const std::uint64_t before = std::exchange(sums_.last_tick, last);
    const bool is_first = sums_.events == 0;
    if (is_first) sums_.first_tick = first;
    sums_.events += events;
    const bool is_lossy = std::exchange(sums_.gap_after, false);
    if (is_lossy) {
        ++sums_.lossy;
        is_known_ = is_known_ && first >= before;
    }
    return !is_first && !is_lossy;
}

std::uint64_t IntervalSummer::add_events(const std::uint64_t* begin, const std::uint64_t* end) {
    const std::uint64_t before = sums_.last_tick;
    if (join(*begin, *(end - 1), static_cast<std::uint64_t>(end - begin))) return widths_.add_since(before, begin, end);
    if (end - begin == 1) return 0;
    const std::uint64_t first = *(begin + 1) - *begin;
    const std::uint64_t longest = widths_.add_since(*begin, begin + 1, end);
    return first >> 63 == 0 ? std::max(first, longest) : longest;
}

bool IntervalSummer::take(IntervalSums& out, BinCounter& counter) {
    out = std::exchange(sums_, {});
    const bool widths = widths_.take(out.widths, counter);
    const bool spans = spans_.take(out.spans, counter);
    return std::exchange(is_known_, true) && widths && spans;
}

}  // namespace sla::capture
