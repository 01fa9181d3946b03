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

SLA_INLINE bool sum_block(std::uint64_t before, const std::uint64_t* ticks, WidthBlock& out, std::uint16_t* bins) {
    // Without the first, which is looked at by itself; the last one twice, so that it changes neither least nor most.
    alignas(64) std::int32_t widths[kBlockWidths];
    const std::uint64_t link = ticks[0] - before;
    std::uint64_t any = link;
    for (std::size_t i = 0; i + 1 < kBlockWidths; ++i) {
        const std::uint64_t width = ticks[i + 1] - ticks[i];
        any |= width;
        widths[i] = static_cast<std::int32_t>(width);
    }
    if (any >= kShort) return false;
    widths[kBlockWidths - 1] = widths[kBlockWidths - 2];
    Eight least;
    std::memcpy(&least, widths, sizeof least);
    Eight most = least;
    FourWide squares{};
    for (std::size_t i = 0; i < kBlockWidths; i += kLanes) {
        Eight some;
        std::memcpy(&some, widths + i, sizeof some);
        least = some < least ? some : least;
        most = some > most ? some : most;
        // Every other one of them fills a number of 64 bits.
        const auto high = reinterpret_cast<FourWide>(some) >> 32;
        const auto low = reinterpret_cast<FourWide>(some) & 0xffffffff;
        squares += high * high + low * low;
        // A float's bits are its exponent and, behind it, what width_bin() takes: the leading bits below the first one.
        constexpr std::int32_t kBias = (127 + kWidthBinBits - 1) << kWidthBinBits;
        const auto real = reinterpret_cast<Eight>(__builtin_convertvector(some, EightFloats));
        const Eight bin = some < (1 << kWidthBinBits) ? some : (real >> (23 - kWidthBinBits)) - kBias;
        const EightShort numbers = __builtin_convertvector(bin, EightShort);
        std::memcpy(bins + i, &numbers, sizeof numbers);
    }
    out.first = static_cast<std::uint32_t>(link);
    out.least = out.first;
    out.most_inside = 0;
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
        out.least = std::min(out.least, static_cast<std::uint32_t>(least[lane]));
        out.most_inside = std::max(out.most_inside, static_cast<std::uint32_t>(most[lane]));
    }
    out.most = std::max(out.first, out.most_inside);
    const auto repeated = static_cast<std::uint64_t>(widths[kBlockWidths - 1]);
    out.squares = squares[0] + squares[1] + squares[2] + squares[3] - repeated * repeated + link * link;
    bins[kBlockWidths - 1] = width_bin(link);
    return true;
}

SLA_INLINE SignedRange range_of_all(const std::uint64_t* begin, const std::uint64_t* end) {
    std::int64_t least[kLanes];
    std::int64_t most[kLanes];
    std::fill(least, least + kLanes, static_cast<std::int64_t>(*begin));
    std::fill(most, most + kLanes, static_cast<std::int64_t>(*begin));
    for (; end - begin >= static_cast<std::ptrdiff_t>(kLanes); begin += kLanes) {
        for (std::size_t lane = 0; lane < kLanes; ++lane) {
            least[lane] = std::min(least[lane], static_cast<std::int64_t>(begin[lane]));
            most[lane] = std::max(most[lane], static_cast<std::int64_t>(begin[lane]));
        }
    }
    for (; begin != end; ++begin) {
        least[0] = std::min(least[0], static_cast<std::int64_t>(*begin));
        most[0] = std::max(most[0], static_cast<std::int64_t>(*begin));
    }
    return {*std::min_element(least, least + kLanes), *std::max_element(most, most + kLanes)};
}

[[gnu::target("avx2")]] bool sum_block_avx2(std::uint64_t before, const std::uint64_t* ticks, WidthBlock& out,
                                            std::uint16_t* bins) {
    return sum_block(before, ticks, out, bins);
}
[[gnu::target("avx2")]] SignedRange range_of_all_avx2(const std::uint64_t* begin, const std::uint64_t* end) {
    return range_of_all(begin, end);
}

bool has_avx2() {
    static const bool has = __builtin_cpu_supports("avx2") != 0;
    return has;
}

}  // namespace

bool sum_widths(std::uint64_t before, const std::uint64_t* ticks, WidthBlock& out, std::uint16_t* bins) {
    return has_avx2() ? sum_block_avx2(before, ticks, out, bins) : sum_widths_anywhere(before, ticks, out, bins);
}

bool sum_widths_anywhere(std::uint64_t before, const std::uint64_t* ticks, WidthBlock& out, std::uint16_t* bins) {
    return sum_block(before, ticks, out, bins);
}

SignedRange range_of(const std::uint64_t* begin, const std::uint64_t* end) {
    return has_avx2() ? range_of_all_avx2(begin, end) : range_of_anywhere(begin, end);
}

SignedRange range_of_anywhere(const std::uint64_t* begin, const std::uint64_t* end) {
    return range_of_all(begin, end);
}

}  // namespace sla::capture
