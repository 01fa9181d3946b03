// Compiled with -O3: its loops become vectors.
#include "proto/capture/summary/width_block.h"

#include "proto/capture/summary/interval_sums.h"

#include <algorithm>
#include <cstring>

#define SLA_INLINE [[gnu::always_inline]] inline

namespace sla::capture {
namespace {

// Those are whole numbers in a float, and the squares of a block of them add up within 64 bits.
constexpr std::uint64_t kShort = std::uint64_t{1} << 23;
constexpr std::size_t kLanes = 8;

// No compiler finds these by itself.
using Eight = std::int32_t __attribute__((vector_size(4 * kLanes)));
using EightFloats = float __attribute__((vector_size(4 * kLanes)));
using EightShort = std::uint16_t __attribute__((vector_size(2 * kLanes)));
using FourWide = std::uint64_t __attribute__((vector_size(4 * kLanes)));

// Widths, in groups of eight: those with an even number and those with an odd one add up for themselves.
struct Sums {
    Eight least;
    Eight most;
    FourWide even_squares{};
    FourWide odd_squares{};
    Eight sum{};  // a block's widths stay far below 2^31
    std::int32_t last = 0;

    [[nodiscard]] std::uint64_t squares() const {
        const FourWide both = even_squares + odd_squares;
        return both[0] + both[1] + both[2] + both[3];
    }
    // Over every lane (1), or every other one (2).
    [[nodiscard]] std::uint32_t least_by(std::size_t step) const {
        std::int32_t found = least[0];
        for (std::size_t lane = step; lane < kLanes; lane += step) found = std::min(found, least[lane]);
        return static_cast<std::uint32_t>(found);
    }
    [[nodiscard]] std::uint32_t most_by(std::size_t step) const {
        std::int32_t found = most[0];
        for (std::size_t lane = step; lane < kLanes; lane += step) found = std::max(found, most[lane]);
        return static_cast<std::uint32_t>(found);
    }
};

// The `count` widths between ticks[0] and ticks[count], at least one; bins in their order. False: one is too long.
// The last group is filled up with the last width.
SLA_INLINE bool sum_between(const std::uint64_t* ticks, std::size_t count, Sums& out, std::uint16_t* bins) {
    alignas(64) std::int32_t widths[kBlockWidths + kLanes];
    std::uint64_t any = 0;
    std::size_t filled = 0;
    for (; filled < count; ++filled) {  // in groups by hand it would not become vectors
        const std::uint64_t width = ticks[filled + 1] - ticks[filled];
        any |= width;
        widths[filled] = static_cast<std::int32_t>(width);
    }
    if (any >= kShort) return false;
    out.last = static_cast<std::int32_t>(ticks[count] - ticks[count - 1]);
    while (filled % kLanes != 0) widths[filled++] = out.last;
    std::memcpy(&out.least, widths, sizeof out.least);
    out.most = out.least;
    for (std::size_t i = 0; i < filled; i += kLanes) {
        Eight some;
        std::memcpy(&some, widths + i, sizeof some);
        out.least = some < out.least ? some : out.least;
        out.most = some > out.most ? some : out.most;
        out.sum += some;
        // Every other one of them fills a number of 64 bits.
        const auto high = reinterpret_cast<FourWide>(some) >> 32;
        const auto low = reinterpret_cast<FourWide>(some) & 0xffffffff;
        out.odd_squares += high * high;
        out.even_squares += low * low;
        // A float's bits are its exponent and, behind it, what width_bin() takes: the leading bits below the first one.
        constexpr std::int32_t kBias = (127 + kWidthBinBits - 1) << kWidthBinBits;
        const auto real = reinterpret_cast<Eight>(__builtin_convertvector(some, EightFloats));
        const Eight bin = some < (1 << kWidthBinBits) ? some : (real >> (23 - kWidthBinBits)) - kBias;
        const EightShort numbers = __builtin_convertvector(bin, EightShort);
        std::memcpy(bins + i, &numbers, sizeof numbers);
    }
    return true;
}

// How many widths were added to `count` for the last group to be whole; and how many of them have an even number.
SLA_INLINE std::uint64_t added(std::size_t count) {
    return (count + kLanes - 1) / kLanes * kLanes - count;
}
SLA_INLINE std::uint64_t added_even(std::size_t count) {
    return (count + kLanes - 1) / kLanes * (kLanes / 2) - (count + 1) / 2;
}

SLA_INLINE bool sum_block(std::uint64_t before, const std::uint64_t* ticks, std::size_t count, WidthBlock& out,
                          std::uint16_t* bins) {
    const std::uint64_t link = ticks[0] - before;
    if (link >= kShort) return false;
    const auto first = static_cast<std::uint32_t>(link);
    out = {first, first, 0, link * link};
    const std::size_t inside = count - 1;
    if (inside > 0) {
        Sums sums;
        if (!sum_between(ticks, inside, sums, bins)) return false;
        const auto last = static_cast<std::uint64_t>(sums.last);
        out.most_inside = sums.most_by(1);
        out.least = std::min(first, sums.least_by(1));
        out.most = std::max(first, out.most_inside);
        out.squares += sums.squares() - added(inside) * last * last;
    }
    bins[inside] = width_bin(link);
    return true;
}

SLA_INLINE bool sum_pair_block(const std::uint64_t* ticks, std::size_t pairs, PairBlock& out, std::uint16_t* bins) {
    const std::size_t count = 2 * pairs - 1;
    Sums sums;
    if (!sum_between(ticks, count, sums, bins)) return false;
    const auto last = static_cast<std::uint64_t>(sums.last);
    out.between = {sums.least_by(1), sums.most_by(1), 0, sums.squares() - added(count) * last * last};
    const FourWide even = sums.even_squares;
    out.spans = {sums.least_by(2), sums.most_by(2), 0,
                 even[0] + even[1] + even[2] + even[3] - added_even(count) * last * last};
    out.sum = 0;
    for (std::size_t lane = 0; lane < kLanes; lane += 2) out.sum += static_cast<std::uint64_t>(sums.sum[lane]);
    out.sum -= added_even(count) * last;
    return true;
}

// The least and the greatest of each lane, of whole groups of eight; at least one number.
struct LaneRanges {
    std::int64_t least[kLanes];
    std::int64_t most[kLanes];
};

// Gives the end of the last group.
SLA_INLINE const std::uint64_t* look_at_groups(const std::uint64_t* begin, const std::uint64_t* end, LaneRanges& out) {
    std::fill(out.least, out.least + kLanes, static_cast<std::int64_t>(*begin));
    std::fill(out.most, out.most + kLanes, static_cast<std::int64_t>(*begin));
    for (; end - begin >= static_cast<std::ptrdiff_t>(kLanes); begin += kLanes) {
        for (std::size_t lane = 0; lane < kLanes; ++lane) {
            out.least[lane] = std::min(out.least[lane], static_cast<std::int64_t>(begin[lane]));
            out.most[lane] = std::max(out.most[lane], static_cast<std::int64_t>(begin[lane]));
        }
    }
    return begin;
}

// Of all numbers (1), or of every other one (2).
SLA_INLINE SignedRange range_by(std::ptrdiff_t step, const std::uint64_t* begin, const std::uint64_t* end) {
    LaneRanges lanes;
    begin = look_at_groups(begin, end, lanes);
    SignedRange range{lanes.least[0], lanes.most[0]};
    for (auto lane = static_cast<std::size_t>(step); lane < kLanes; lane += static_cast<std::size_t>(step))
        range = {std::min(range.least, lanes.least[lane]), std::max(range.most, lanes.most[lane])};
    for (; begin < end; begin += step)
        range = {std::min(range.least, static_cast<std::int64_t>(*begin)),
                 std::max(range.most, static_cast<std::int64_t>(*begin))};
    return range;
}

[[gnu::target("avx2")]] bool sum_block_avx2(std::uint64_t before, const std::uint64_t* ticks, std::size_t count,
                                            WidthBlock& out, std::uint16_t* bins) {
    return sum_block(before, ticks, count, out, bins);
}
[[gnu::target("avx2")]] bool sum_pair_block_avx2(const std::uint64_t* ticks, std::size_t pairs, PairBlock& out,
                                                 std::uint16_t* bins) {
    return sum_pair_block(ticks, pairs, out, bins);
}
[[gnu::target("avx2")]] SignedRange range_of_all_avx2(const std::uint64_t* begin, const std::uint64_t* end) {
    return range_by(1, begin, end);
}
[[gnu::target("avx2")]] SignedRange range_of_other_lanes_avx2(const std::uint64_t* begin, const std::uint64_t* end) {
    return range_by(2, begin, end);
}

bool has_avx2() {
    static const bool has = __builtin_cpu_supports("avx2") != 0;
    return has;
}

}  // namespace

bool sum_widths(std::uint64_t before, const std::uint64_t* ticks, std::size_t count, WidthBlock& out,
                std::uint16_t (&bins)[kBlockBins]) {
    return has_avx2() ? sum_block_avx2(before, ticks, count, out, bins)
                      : sum_widths_anywhere(before, ticks, count, out, bins);
}

bool sum_widths_anywhere(std::uint64_t before, const std::uint64_t* ticks, std::size_t count, WidthBlock& out,
                         std::uint16_t (&bins)[kBlockBins]) {
    return sum_block(before, ticks, count, out, bins);
}

bool sum_pairs(const std::uint64_t* ticks, std::size_t pairs, PairBlock& out, std::uint16_t (&bins)[kBlockBins]) {
    return has_avx2() ? sum_pair_block_avx2(ticks, pairs, out, bins) : sum_pairs_anywhere(ticks, pairs, out, bins);
}

bool sum_pairs_anywhere(const std::uint64_t* ticks, std::size_t pairs, PairBlock& out, std::uint16_t (&bins)[kBlockBins]) {
    return sum_pair_block(ticks, pairs, out, bins);
}

SignedRange range_of(const std::uint64_t* begin, const std::uint64_t* end) {
    return has_avx2() ? range_of_all_avx2(begin, end) : range_of_anywhere(begin, end);
}

SignedRange range_of_anywhere(const std::uint64_t* begin, const std::uint64_t* end) {
    return range_by(1, begin, end);
}

SignedRange range_of_every_other(const std::uint64_t* begin, const std::uint64_t* end) {
    return has_avx2() ? range_of_other_lanes_avx2(begin, end) : range_of_every_other_anywhere(begin, end);
}

SignedRange range_of_every_other_anywhere(const std::uint64_t* begin, const std::uint64_t* end) {
    return range_by(2, begin, end);
}

}  // namespace sla::capture
