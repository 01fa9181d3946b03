// The offsets of a block (packed_column.h), and the layout in which they take the fewest bytes.
#pragma once

#include "proto/wire/columns/packed_shape.h"

#include <algorithm>
#include <bit>
#include <type_traits>

// Loops go over groups of 16, so that their length is known to the compiler: with -O3 it makes vectors of them, of those that
// every x86-64 has, and once more with AVX2 for processors that have it: the same bytes, 10 to 35 % faster.
#define SLA_INLINE [[gnu::always_inline]] inline

namespace sla::wire::packed {

inline constexpr std::size_t kGroup = 16;

// The least that holds offsets of so many bits.
constexpr unsigned layout_for(unsigned width) {
    if (width == 0) return 0;
    const unsigned planes = (width - 1) / 8;
    return 4 * planes + 1 + static_cast<unsigned>(std::bit_width(width - 8 * planes - 1));
}

// What is packed of a block, or might be.
template <typename Word>
struct Offsets {
    alignas(64) Word at[kBlockNumbers + kGroup];    // 0 behind the last
    alignas(64) std::int8_t widths[kBlockNumbers];  // bits of each, at least; 0 or less: none
    std::uint64_t base = 0;
    Word all = 0;  // every bit that any of them has
    unsigned layout = 0;
    bool has_exceptions = false;
    std::size_t bytes = 0;  // about
};

template <typename Word>
SLA_INLINE void measure(Offsets<Word>& offsets, std::size_t groups) {
    for (std::size_t g = 0; g < groups; ++g) {
        const Word* at = offsets.at + g * kGroup;
        std::int8_t* widths = offsets.widths + g * kGroup;
        for (std::size_t i = 0; i < kGroup; ++i) {
            if constexpr (sizeof(Word) == sizeof(float)) {
                // By the exponent of a floating-point number: rounded up, one bit more is said of some.
                constexpr int kMantissaBits = 23;
                constexpr int kBias = 126;
                const auto real = std::bit_cast<std::int32_t>(static_cast<float>(static_cast<std::int32_t>(at[i])));
                widths[i] = static_cast<std::int8_t>((real >> kMantissaBits) - kBias);
            } else {
                widths[i] = static_cast<std::int8_t>(std::bit_width(at[i]));
            }
        }
    }
}

SLA_INLINE unsigned widest(const std::int8_t* widths, std::size_t groups) {
    std::int8_t most[kGroup] = {};
    for (std::size_t g = 0; g < groups; ++g) {
        for (std::size_t i = 0; i < kGroup; ++i) most[i] = std::max(most[i], widths[g * kGroup + i]);
    }
    return static_cast<unsigned>(*std::max_element(most, most + kGroup));
}

SLA_INLINE std::size_t count_wider(const std::int8_t* widths, std::size_t groups, unsigned width) {
    std::uint8_t counts[kGroup] = {};
    const auto limit = static_cast<std::int8_t>(width);
    for (std::size_t g = 0; g < groups; ++g) {
        for (std::size_t i = 0; i < kGroup; ++i)
            counts[i] = static_cast<std::uint8_t>(counts[i] + (widths[g * kGroup + i] > limit ? 1 : 0));
    }
    std::size_t sum = 0;
    for (const std::uint8_t count : counts) sum += count;
    return sum;
}

// The layout that takes the fewest bytes. Narrower ones have ever more exceptions: it ends where these alone are too many.
template <typename Word>
SLA_INLINE void choose_layout(Offsets<Word>& offsets, std::size_t count, std::size_t groups) {
    measure(offsets, groups);
    const unsigned most = widest(offsets.widths, groups);
    offsets.layout = layout_for(most);
    offsets.has_exceptions = false;
    offsets.bytes = plane_bytes(count, offsets.layout);
    for (unsigned layout = offsets.layout; layout-- > 0;) {
        const std::size_t exceptions = count_wider(offsets.widths, groups, width_of(layout));
        const std::size_t besides = 1 + exceptions * (1 + (most - width_of(layout) + 6) / 7);
        if (besides >= offsets.bytes) break;
        const std::size_t bytes = plane_bytes(count, layout) + besides;
        if (bytes >= offsets.bytes) continue;
        offsets.layout = layout;
        offsets.has_exceptions = true;
        offsets.bytes = bytes;
    }
}

// From signed distances, the last one repeated up to a whole group: their least is the base.
template <typename Word>
SLA_INLINE void take_offsets(const std::make_signed_t<Word>* distances, std::size_t count, std::size_t groups,
                             Offsets<Word>& offsets) {
    using Signed = std::make_signed_t<Word>;
    Signed least[kGroup];
    std::copy(distances, distances + kGroup, least);
    for (std::size_t g = 1; g < groups; ++g) {
        for (std::size_t i = 0; i < kGroup; ++i) least[i] = std::min(least[i], distances[g * kGroup + i]);
    }
    const Signed base = *std::min_element(least, least + kGroup);
    Word bits[kGroup] = {};
    for (std::size_t g = 0; g < groups; ++g) {
        for (std::size_t i = 0; i < kGroup; ++i) {
            const std::size_t at = g * kGroup + i;
            offsets.at[at] = static_cast<Word>(distances[at]) - static_cast<Word>(base);
            bits[i] |= offsets.at[at];
        }
    }
    offsets.all = 0;
    for (const Word one : bits) offsets.all |= one;
    std::fill(offsets.at + count, offsets.at + groups * kGroup + kGroup, Word{0});
    offsets.base = static_cast<std::uint64_t>(static_cast<std::int64_t>(base));
}

}  // namespace sla::wire::packed
