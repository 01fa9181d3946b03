// What statistics need to know of many intervals, without the intervals: sums that add up, so that those of two neighbouring
// intervals give those of both. A capture file keeps them for every channel of every chunk. Widths are ticks.
//
//   event   gap   event  event          event   gap      one page of a channel
//     ├─ lossy ─────┤──w───┤──────w──────┤       then: gap_after
//     ╰ first_tick                       ╰ last_tick
//
// Sums are exact; how the widths are spread is known in bins 1/64 of their size wide, one tick at least.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

namespace sla {

using WideTicks = unsigned __int128;

// Bins of widths, rising: below 128 ticks one each, then 64 in every octave.
inline constexpr unsigned kWidthBinBits = 6;
inline constexpr std::uint16_t kWidthBins = 3776;

constexpr std::uint16_t width_bin(std::uint64_t width) {
    const int octave = std::bit_width(width);
    if (octave <= static_cast<int>(kWidthBinBits) + 1) return static_cast<std::uint16_t>(width);
    const auto shift = static_cast<unsigned>(octave) - kWidthBinBits - 1;
    return static_cast<std::uint16_t>((shift << kWidthBinBits) + (width >> shift));
}

// The least and the greatest width of a bin.
constexpr std::uint64_t least_width(std::uint16_t bin) {
    constexpr unsigned kPerOctave = 1U << kWidthBinBits;
    if (bin < 2 * kPerOctave) return bin;
    return (std::uint64_t{bin % kPerOctave} + kPerOctave) << (bin / kPerOctave - 1);
}
constexpr std::uint64_t most_width(std::uint16_t bin) {
    return bin + 1 == kWidthBins ? ~std::uint64_t{0} : least_width(static_cast<std::uint16_t>(bin + 1)) - 1;
}
static_assert(width_bin(~std::uint64_t{0}) + 1 == kWidthBins && least_width(width_bin(12'345)) == 12'288);

struct WidthBin {
    std::uint16_t bin = 0;
    std::uint32_t count = 0;
};

struct WidthSums {
    std::uint64_t count = 0;  // when 0, all else is
    std::uint64_t min = 0;
    std::uint64_t max = 0;
    WideTicks sum = 0;
    WideTicks squares = 0;
    std::vector<WidthBin> bins;  // rising, none empty
};

// Of a run of one channel's rows.
struct IntervalSums {
    std::uint64_t events = 0;      // without gap rows
    std::uint64_t first_tick = 0;  // of its events, when there are any
    std::uint64_t last_tick = 0;
    bool gap_before = false;  // a loss before its first event; of rows without an event: a loss among them
    bool gap_after = false;   // behind its last event
    std::uint64_t lossy = 0;  // intervals between two of its events with a loss inside
    WidthSums widths;         // of all other such intervals
    std::uint64_t cut = 0;    // spans begun in it and cut by a loss in it
    WidthSums spans;          // begun and ended in it
};

}  // namespace sla
