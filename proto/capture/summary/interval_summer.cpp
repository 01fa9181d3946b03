#include "proto/capture/summary/interval_summer.h"

#include "proto/capture/summary/width_block.h"

#include <algorithm>
#include <bit>
#include <cstring>
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

void IntervalSummer::add(const IntervalSums& rows, const SingleBins& singles) {
    const std::uint64_t before = sums_.last_tick;
    if (join(rows.first_tick, rows.last_tick, rows.events)) widths_.add(rows.first_tick - before);
    widths_.add(rows.widths, singles.widths);
    spans_.add(rows.spans, singles.spans);
}

void IntervalSummer::add_pairs(const std::uint64_t* ticks, std::size_t pairs, const PairBlock& block,
                               const std::uint16_t (&bins)[kBlockBins]) {
    const std::uint64_t before = sums_.last_tick;
    const std::size_t last = 2 * pairs - 1;
    if (join(ticks[0], ticks[last], 2 * pairs)) widths_.add(ticks[0] - before);
    widths_.add(block.between, ticks[last] - ticks[0], bins, last);
    std::uint16_t of_spans[kBlockPairs];
    for (std::size_t pair = 0; pair < pairs; ++pair) of_spans[pair] = bins[2 * pair];
    spans_.add(block.spans, block.sum, of_spans, pairs);
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

void IntervalSummer::take_sums(IntervalSums& out) {
    std::swap(sums_.widths, out.widths);
    std::swap(sums_.spans, out.spans);
    out = std::exchange(sums_, {});
}

bool IntervalSummer::take(IntervalSums& out, BinCounter& counter) {
    take_sums(out);
    const bool widths = widths_.take(out.widths, counter);
    const bool spans = spans_.take(out.spans, counter);
    return std::exchange(is_known_, true) && widths && spans;
}

bool IntervalSummer::take(IntervalSums& out, SingleBins& singles, BinCounter& counter) {
    take_sums(out);
    const bool widths = widths_.take(out.widths, singles.widths, counter);
    const bool spans = spans_.take(out.spans, singles.spans, counter);
    return std::exchange(is_known_, true) && widths && spans;
}

}  // namespace sla::capture
