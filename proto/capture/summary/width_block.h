// The inner loops of summaries: the widths of many intervals at once, and the least and the greatest of many numbers.
//
// Each is compiled twice, for every x86-64 and with AVX2, and chosen when it is first called; both give the same.
// Per row 0.6 and 0.2 ns with AVX2, twice that without (tests/bench/size_bench shows it with all else the writer does).
#pragma once

#include <cstddef>
#include <cstdint>

namespace sla::capture {

inline constexpr std::size_t kBlockWidths = 512;
// Bins of a block are written in groups: so many does an array for them hold.
inline constexpr std::size_t kBlockBins = kBlockWidths + 8;

struct WidthBlock {
    std::uint32_t least = 0;
    std::uint32_t most = 0;
    std::uint32_t most_inside = 0;  // without the first; 0: there is no other
    std::uint64_t squares = 0;      // their sum
};

// Of the `count` widths from `before` to ticks[0] and on to ticks[count - 1], 1 to kBlockWidths; `bins` gets the width_bin() of each,
// in any order. False, and nothing is of use: one of them is not below 2^23 ticks.
bool sum_widths(std::uint64_t before, const std::uint64_t* ticks, std::size_t count, WidthBlock& out,
                std::uint16_t (&bins)[kBlockBins]);
// The same by what every x86-64 has.
bool sum_widths_anywhere(std::uint64_t before, const std::uint64_t* ticks, std::size_t count, WidthBlock& out,
                         std::uint16_t (&bins)[kBlockBins]);

// Of spans, each a begin and its end right behind it.
struct PairBlock {
    WidthBlock spans;       // without most_inside
    std::uint64_t sum = 0;  // of the spans
    WidthBlock between;     // of all intervals between two neighbours, the spans among them; without most_inside
};

inline constexpr std::size_t kBlockPairs = 32;

// Of `pairs` spans from ticks[0] to ticks[1] and so on, 1 to kBlockPairs. `bins` gets those of the intervals between neighbours, one
// after the other: the even ones are the spans'. False as above.
bool sum_pairs(const std::uint64_t* ticks, std::size_t pairs, PairBlock& out, std::uint16_t (&bins)[kBlockBins]);
bool sum_pairs_anywhere(const std::uint64_t* ticks, std::size_t pairs, PairBlock& out, std::uint16_t (&bins)[kBlockBins]);

struct SignedRange {
    std::int64_t least;
    std::int64_t most;
};
// Of at least one number.
SignedRange range_of(const std::uint64_t* begin, const std::uint64_t* end);
SignedRange range_of_anywhere(const std::uint64_t* begin, const std::uint64_t* end);
// Of begin[0], begin[2] and so on, at least one.
SignedRange range_of_every_other(const std::uint64_t* begin, const std::uint64_t* end);
SignedRange range_of_every_other_anywhere(const std::uint64_t* begin, const std::uint64_t* end);

}  // namespace sla::capture
