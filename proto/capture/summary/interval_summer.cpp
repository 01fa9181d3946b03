#include "proto/capture/summary/interval_summer.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace sla::capture {
namespace {

constexpr std::size_t kBlock = 64;
// Those are whole numbers in a float, and the squares of a block of them add up to one in a double.
constexpr std::uint64_t kShort = std::uint64_t{1} << 23;
constexpr std::size_t kFew = 64;                     // sorted faster than counted
constexpr std::size_t kKept = std::size_t{1} << 16;  // bin numbers of which the memory is kept from page to page

// Four widths at once: no compiler finds this by itself at -O2.
using Four = std::int32_t __attribute__((vector_size(16)));
using FourFloats = float __attribute__((vector_size(16)));
using Two = std::int32_t __attribute__((vector_size(8)));
using TwoDoubles = double __attribute__((vector_size(16)));
using FourShort = std::uint16_t __attribute__((vector_size(8)));

template <typename Vector>
Vector load(const std::int32_t* widths) {
    Vector out;
    std::memcpy(&out, widths, sizeof out);
    return out;
}

// width_bin() of widths below kShort. A float's bits are its exponent and, behind it, what width_bin() takes: the leading
// bits below the first one.
FourShort short_width_bins(Four widths) {
    constexpr std::int32_t kBias = (127 + kWidthBinBits - 1) << kWidthBinBits;
    const auto bits = reinterpret_cast<Four>(__builtin_convertvector(widths, FourFloats));
    const Four bins = (bits >> (23 - kWidthBinBits)) - kBias;
    return __builtin_convertvector(widths < (1 << kWidthBinBits) ? widths : bins, FourShort);
}

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
        for (; at + 1 < numbers.size(); at += 2) {
            ++counts_[0][numbers[at]];
            ++counts_[1][numbers[at + 1]];
        }
        if (at < numbers.size()) ++counts_[0][numbers[at]];
        for (std::size_t number = least; number <= most; ++number) {
            const std::uint32_t count = std::exchange(counts_[0][number], 0) + std::exchange(counts_[1][number], 0);
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

void WidthSummer::add_between(const std::uint64_t* begin, const std::uint64_t* end) {
    const std::uint64_t* tick = begin + 1;
    while (tick < end) {
        const auto left = static_cast<std::size_t>(end - tick);
        if (left >= kBlock && add_block(tick)) {
            tick += kBlock;
            continue;
        }
        for (const std::uint64_t* stop = tick + std::min(left, kBlock); tick < stop; ++tick) add(*tick - *(tick - 1));
    }
}

bool WidthSummer::add_block(const std::uint64_t* ticks) {
    std::uint64_t any = 0;
    std::int32_t widths[kBlock];
    for (std::size_t i = 0; i < kBlock; ++i) {
        const std::uint64_t width = ticks[i] - *(ticks + i - 1);
        any |= width;
        widths[i] = static_cast<std::int32_t>(width);
    }
    if (any >= kShort) return false;
    TwoDoubles squares{};
    Four least = load<Four>(widths);
    Four most = least;
    std::uint16_t bins[kBlock];
    for (std::size_t i = 0; i < kBlock; i += 4) {
        const Four some = load<Four>(widths + i);
        least = some < least ? some : least;
        most = some > most ? some : most;
        for (const Two two : {load<Two>(widths + i), load<Two>(widths + i + 2)}) {
            const TwoDoubles exact = __builtin_convertvector(two, TwoDoubles);
            squares += exact * exact;
        }
        const FourShort numbers = short_width_bins(some);
        std::memcpy(bins + i, &numbers, sizeof numbers);
    }
    const auto min = static_cast<std::uint64_t>(std::min({least[0], least[1], least[2], least[3]}));
    const auto max = static_cast<std::uint64_t>(std::max({most[0], most[1], most[2], most[3]}));
    sums_.min = bins_.empty() ? min : std::min(sums_.min, min);
    sums_.max = std::max(sums_.max, max);
    sums_.sum += ticks[kBlock - 1] - *(ticks - 1);
    sums_.squares += static_cast<std::uint64_t>(squares[0] + squares[1]);
    bins_.insert(bins_.end(), bins, bins + kBlock);
    return true;
}

bool WidthSummer::take(WidthSums& out, BinCounter& counter) {
    out = std::exchange(sums_, {});
    out.count = bins_.size();
    counter.count(bins_, width_bin(out.min), width_bin(out.max), out.bins);
    return std::exchange(is_sound_, true);
}

void IntervalSummer::add(const wire::EventBatch& batch) {
    for (std::size_t begin = 0; begin < batch.size();) {
        const std::size_t left = batch.size() - begin;
        const void* const gap = std::memchr(batch.codes.data() + begin, SLA_CODE_GAP, left);
        const std::size_t end = gap == nullptr
                                    ? batch.size()
                                    : static_cast<std::size_t>(static_cast<const std::uint8_t*>(gap) - batch.codes.data());
        if (begin < end) add_events(batch.ticks.data() + begin, batch.ticks.data() + end);
        if (gap != nullptr) (sums_.events == 0 ? sums_.gap_before : sums_.gap_after) = true;
        begin = end + 1;
    }
}

void IntervalSummer::add_events(const std::uint64_t* begin, const std::uint64_t* end) {
    if (sums_.events == 0) {
        sums_.first_tick = *begin;
    } else if (sums_.gap_after) {
        ++sums_.lossy;
        is_known_ = is_known_ && *begin >= sums_.last_tick;
    } else {
        widths_.add(*begin - sums_.last_tick);
    }
    sums_.gap_after = false;
    widths_.add_between(begin, end);
    sums_.last_tick = *(end - 1);
    sums_.events += static_cast<std::uint64_t>(end - begin);
}

bool IntervalSummer::take(IntervalSums& out, BinCounter& counter) {
    out = std::exchange(sums_, {});
    const bool widths = widths_.take(out.widths, counter);
    const bool spans = spans_.take(out.spans, counter);
    return std::exchange(is_known_, true) && widths && spans;
}

}  // namespace sla::capture
