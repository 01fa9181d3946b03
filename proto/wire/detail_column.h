// One column of detail words as a batch of encoding 2 has it; nothing when no event has such a word.
//
//   form u8, then  0: every event has one
//                  1: codes u16 little-endian: those events have one whose code's bit is set
//                  2: (count + 7) / 8 bytes: event i has one where bit i % 8 of byte i / 8 is set; the bits behind the last are 0
//   the first word as varint, blocks of the others (packed_column.h); none of them is 0
//
// What a word says is mostly the same from event to event, as the place of an instruction in a loop: then it takes no byte.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace sla::wire {

// `words` may be shorter than `codes`: the events behind have none; 0 is none. 1 to 2 ns an event.
void encode_details(const std::vector<std::uint64_t>& words, const std::vector<std::uint8_t>& codes, std::string& column);

// Bytes from outside; `codes` are known ones. Gives null, or what is wrong. `words` becomes as long as `codes`, or stays empty.
const char* decode_details(const std::string& column, const std::vector<std::uint8_t>& codes,
                           std::vector<std::uint64_t>& words);

}  // namespace sla::wire
