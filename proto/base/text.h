// Pieces of a text: a number that is all of it, lines and words taken off it, blanks around it, small letters, whether all is ASCII,
// where a character begins, and bytes as digits.
#pragma once

#include <algorithm>
#include <charconv>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sla {

// `how` is the base of a whole number, or the std::chars_format of another.
template <typename Number, typename... How>
std::optional<Number> whole_number(std::string_view text, How... how) {
    Number number{};
    const char* const end = text.data() + text.size();
    const auto [at, error] = std::from_chars(text.data(), end, number, how...);
    if (error != std::errc() || at != end) return std::nullopt;
    return number;
}

std::string_view trimmed(std::string_view text, std::string_view blanks = " \t");
// The line without its end; the text is left with what follows.
std::string_view take_line(std::string_view& text);
std::vector<std::string_view> split_words(std::string_view text, std::string_view blanks = " \t\r");
std::string lowered(std::string text);  // of ASCII letters

// Small digits, two a byte.
std::string hex_of(std::span<const unsigned char> bytes);
inline std::string hex_of(std::string_view bytes) {
    return hex_of(std::span(reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size()));
}

// As most texts are, and a look at many of them together says so at once.
bool is_ascii(std::string_view text);

// Of UTF-8: not one of a character's further bytes.
inline bool begins_character(char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
}

}  // namespace sla
