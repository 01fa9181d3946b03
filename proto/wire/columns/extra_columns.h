// What only some events have, as columns of a batch of encoding 2; nothing when no event has any. Each begins with which events
// they are (presence.h), then
//
//   of details   the words, as put_numbers has them (packed_column.h): 0 is none
//   of texts     their lengths in bytes likewise, and all of them one behind the other to the end, UTF-8 each
//
// What a word says is mostly the same from event to event, as the place of an instruction in a loop: then it takes no byte.
#pragma once

#include "proto/wire/texts.h"

#include <cstdint>
#include <string>
#include <vector>

namespace sla::wire {

// `words` may be shorter than `codes`: the events behind have none; 0 is none. 1 to 2 ns an event.
void encode_details(const std::vector<std::uint64_t>& words, const std::vector<std::uint8_t>& codes, std::string& column);

// Texts become UTF-8 of at most kMaxTextBytes.
void encode_texts(const Texts& texts, const std::vector<std::uint8_t>& codes, std::string& column);

// Bytes from outside; `codes` are known ones. Gives null, or what is wrong. `words` becomes as long as `codes`, or stays empty.
const char* decode_details(const std::string& column, const std::vector<std::uint8_t>& codes,
                           std::vector<std::uint64_t>& words);
const char* decode_texts(const std::string& column, const std::vector<std::uint8_t>& codes, Texts& texts);

}  // namespace sla::wire
