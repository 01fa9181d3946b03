// Characters of a text from outside that would steer a terminal, end a line or hide what follows.
#pragma once

#include <algorithm>
#include <string>

namespace sla {

constexpr bool is_control(char c) {
    return static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
}

inline std::string without_control(std::string text, char instead) {
    std::replace_if(text.begin(), text.end(), is_control, instead);
    return text;
}

// Lines for a terminal: names of a stranger's file may stand in them.
inline std::string harmless_lines(std::string lines) {
    const auto steers = [](char c) { return is_control(c) && c != '\n' && c != '\t'; };
    std::replace_if(lines.begin(), lines.end(), steers, '?');
    return lines;
}

}  // namespace sla
