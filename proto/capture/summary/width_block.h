// The inner loops of summaries: the widths of many intervals at once, and the least and the greatest of many numbers.
//
// Each is compiled twice, for every x86-64 and with AVX2, and chosen when it is first called; both give the same.
// Per row 0.6 and 0.2 ns with AVX2, twice that without (tests/bench/size_bench shows it with all else the writer does).
#pragma once

#include <cstddef>
#include <cstdint>

namespace sla::capture {

inline constexpr std::size_t kBlockWidths = 64;

struct WidthBlock {
    std::uint32_t least = 0;
    std::uint32_t most = 0;
    std::uint32_t first = 0;        // from `before` to the first tick
    std::uint32_t most_inside = 0;  // without the first
    std::uint64_t squares = 0;      // their sum
};

// Of the widths from `before` to ticks[0] and on to ticks[kBlockWidths - 1]; `bins` gets the width_bin() of each, in any
// order. False, and nothing is of use: one of them is not below 2^23 ticks.
bool sum_widths(std::uint64_t before, const std::uint64_t* ticks, WidthBlock& out, std::uint16_t* bins);
// The same by what every x86-64 has.
bool sum_widths_anywhere(std::uint64_t before, const std::uint64_t* ticks, WidthBlock& out, std::uint16_t* bins);

struct SignedRange {
    std::int64_t least;
    std::int64_t most;
};
// Of at least one number.
SignedRange range_of(const std::uint64_t* begin, const std::uint64_t* end);
SignedRange range_of_anywhere(const std::uint64_t* begin, const std::uint64_t* end);

}  // namespace sla::capture
