#include "proto/capture/summary/interval_summer.h"

#include "proto/capture/summary/width_block.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace sla::capture {
namespace {

constexpr std::size_t kFew = 64;                     // sorted faster than counted
constexpr std::size_t kKept = std::size_t{1} << 16;  // bin numbers of which the memory is kept from page to page

}  // namespace

void BinCounter::count(std::vector<std::uint16_t>& numbers, std::uint16_t least, std::uint16_t most,
                       std::vector<WidthBin>& bins) {
    bins.clear();
    if (numbers.size() < kFew) {
        std::sort(numbers.begin(), numbers.end());
        for (const std::uint16_t number : numbers) {
            if (bins.empty() || bins.back().bin != number) bins.push_back({number, 0});
            ++bins.back().count;
        }
    } else {
        std::size_t at = 0;
        for (; at + counts_.size() <= numbers.size(); at += counts_.size()) {
            for (std::size_t i = 0; i < counts_.size(); ++i) ++counts_[i][numbers[at + i]];
        }
        for (; at < numbers.size(); ++at) ++counts_[0][numbers[at]];
        for (std::size_t number = least; number <= most; ++number) {
            std::uint32_t count = 0;
            for (auto& counts : counts_) count += std::exchange(counts[number], 0);
            if (count > 0) bins.push_back({static_cast<std::uint16_t>(number), count});
        }
    }
    numbers.clear();
    if (numbers.capacity() > kKept) numbers.shrink_to_fit();
}

void WidthSummer::add(std::uint64_t width) {
    if (width >> 63 != 0) {
        is_sound_ = false;
        return;
    }
    sums_.min = bins_.empty() ? width : std::min(sums_.min, width);
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
            sums_.min = bins_.empty() ? block.least : std::min<std::uint64_t>(sums_.min, block.least);
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

bool WidthSummer::take(WidthSums& out, BinCounter& counter) {
    out = std::exchange(sums_, {});
    out.count = bins_.size();
    counter.count(bins_, width_bin(out.min), width_bin(out.max), out.bins);
    return std::exchange(is_sound_, true);
}

void IntervalSummer::add(const wire::EventBatch& batch, std::size_t begin, std::size_t end) {
    while (begin < end) {
        const void* const gap = std::memchr(batch.codes.data() + begin, SLA_CODE_GAP, end - begin);
        const std::size_t stop =
            gap == nullptr ? end : static_cast<std::size_t>(static_cast<const std::uint8_t*>(gap) - batch.codes.data());
        if (begin < stop) add_events(batch.ticks.data() + begin, batch.ticks.data() + stop);
        if (gap != nullptr) (sums_.events == 0 ? sums_.gap_before : sums_.gap_after) = true;
        begin = stop + 1;
    }
}

std::uint64_t IntervalSummer::add_events(const std::uint64_t* begin, const std::uint64_t* end) {
    const auto count = static_cast<std::uint64_t>(end - begin);
    const std::uint64_t before = sums_.last_tick;
    sums_.last_tick = *(end - 1);
    const bool is_joined = sums_.events > 0 && !sums_.gap_after;
    if (sums_.events == 0) sums_.first_tick = *begin;
    sums_.events += count;
    if (is_joined) return widths_.add_since(before, begin, end);
    if (std::exchange(sums_.gap_after, false)) {
        ++sums_.lossy;
        is_known_ = is_known_ && *begin >= before;
    }
    if (count == 1) return 0;
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
