// Text from outside programs made fit for the wire. protobuf refuses a message whose strings are not UTF-8, so one bad
// byte of a program's name or text would cost the whole frame: everything that goes into a string field passes here first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

namespace sla::wire {

inline constexpr std::size_t kNoTextLimit = std::numeric_limits<std::size_t>::max();

// The character that `text` (not empty) begins with and its length in bytes. What is not UTF-8 counts as one byte and gives
// kBadCharacter.
struct Character {
    std::uint32_t code_point = 0;
    std::size_t bytes = 1;
};
inline constexpr std::uint32_t kBadCharacter = 0xffffffff;
Character first_character(std::string_view text);

bool is_utf8(std::string_view text);

// The same text with U+FFFD for each byte that is not UTF-8, cut between characters to at most `max_bytes`.
std::string to_utf8(std::string_view text, std::size_t max_bytes = kNoTextLimit);

}  // namespace sla::wire
