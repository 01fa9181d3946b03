// Characters of a text from outside that would steer a terminal, end a line or hide what follows.
#pragma once

#include <algorithm>
#include <string>

namespace sla {

constexpr bool is_control(char c) {
    return static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
}

// The second 32 of them, two bytes each in UTF-8: terminals take U+009B for the beginning of a sequence.
inline void replace_upper_control(std::string& text, char instead) {
    for (std::size_t at = 0; at + 1 < text.size(); ++at) {
        const auto second = static_cast<unsigned char>(text[at + 1]);
        if (text[at] == '\xC2' && second >= 0x80 && second < 0xA0) text[at] = text[at + 1] = instead;
    }
}

inline std::string without_control(std::string text, char instead) {
    std::replace_if(text.begin(), text.end(), is_control, instead);
    replace_upper_control(text, instead);
    return text;
}

// Lines for a terminal: names of a stranger's file may stand in them.
inline std::string harmless_lines(std::string lines) {
    const auto steers = [](char c) { return is_control(c) && c != '\n' && c != '\t'; };
    std::replace_if(lines.begin(), lines.end(), steers, '?');
    replace_upper_control(lines, '?');
    return lines;
}

}  // namespace sla
