// How the columns of a packed batch may be written (batch_codec.h), for the encoder and the decoder.
#pragma once

#include "proto/wire/event.h"

#include <array>
#include <cstdint>

namespace sla::wire {

// The first byte of the column of codes, and of threads.
enum class CodeForm : std::uint8_t { kRuns = 0, kTurns = 1, kPairs = 2 };
enum class ThreadForm : std::uint8_t { kRuns = 0, kPacked = 1 };

// By code: in a loop over events a table costs less than a switch.
inline constexpr std::array<bool, 16> kHasValue = [] {
    std::array<bool, 16> table{};
    for (std::uint8_t code = 0; code < table.size(); ++code) table[code] = has_value(code);
    return table;
}();

}  // namespace sla::wire
