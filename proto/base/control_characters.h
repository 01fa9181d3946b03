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

}  // namespace sla
