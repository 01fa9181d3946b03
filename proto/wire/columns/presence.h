// Which events of a batch have something that not every event has, as the columns of details and of texts begin.
//
//   form u8, then  0: every event
//                  1: codes u16 little-endian: the events whose code's bit is set
//                  2: (count + 7) / 8 bytes: event i where bit i % 8 of byte i / 8 is set; the bits behind the last are 0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sla::wire {

// Touches no more bytes for so many events.
constexpr std::size_t presence_capacity(std::size_t events) {
    return 1 + 2 + (events + 7) / 8;
}

// `has`: 1 or 0 of each event, `count` of them 1, at least one. Gives the end.
char* put_presence(const std::vector<std::uint8_t>& has, std::size_t count, const std::vector<std::uint8_t>& codes,
                   char* out);

// Bytes from outside, at least one; `codes` are known ones. Moves `at` behind them. Gives null, or what is wrong: at least one
// event has it.
const char* get_presence(const char*& at, const char* end, const std::vector<std::uint8_t>& codes,
                         std::vector<std::uint8_t>& has, std::size_t& count);

}  // namespace sla::wire
