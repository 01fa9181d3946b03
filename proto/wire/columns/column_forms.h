// How the columns of a packed batch may be written (batch_codec.h), for the encoder and the decoder.
#pragma once

#include "proto/wire/event.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace sla::wire {

// The first byte of the column of codes, and of threads.
enum class CodeForm : std::uint8_t { kRuns = 0, kTurns = 1, kPairs = 2 };
enum class ThreadForm : std::uint8_t { kRuns = 0, kPacked = 1 };

// By code: in a loop over events a table costs less than a switch.
inline constexpr std::array<bool, 16> kHasValue = [] {
    std::array<bool, 16> table{};
    for (std::size_t code = 0; code < table.size(); ++code) table[code] = has_value(static_cast<std::uint8_t>(code));
    return table;
}();

// Whether each element equals the one `distance` before it: one fast comparison of the column with itself.
template <typename T>
bool repeats(const std::vector<T>& column, std::size_t distance) {
    if (column.size() <= distance) return true;
    return std::memcmp(column.data(), column.data() + distance, (column.size() - distance) * sizeof(T)) == 0;
}

// So many codes stand for all of them: 1 of a run, 2 of two by turns, else every one.
inline std::size_t period_of(const std::vector<std::uint8_t>& codes) {
    if (repeats(codes, 1)) return 1;
    return repeats(codes, 2) ? 2 : codes.size();
}

// Whether all of these are codes, in one look at each.
inline bool are_known_codes(const std::uint8_t* codes, std::size_t count) {
    constexpr std::uint32_t kKnown = [] {
        std::uint32_t bits = 0;
        for (std::uint8_t code = 0; code < 16; ++code) bits |= static_cast<std::uint32_t>(is_known_code(code)) << code;
        return bits;
    }();
    std::uint32_t unknown = 0;
    for (std::size_t i = 0; i < count; ++i)
        unknown |= static_cast<std::uint32_t>(codes[i] >> 4) | (~kKnown >> (codes[i] & 15) & 1);
    return unknown == 0;
}

}  // namespace sla::wire
