// Percent coding: any text as one word without blanks, for comments of formats that keep no names.
#pragma once

#include <string>
#include <string_view>

namespace sla::exporting {

// Letters, digits and -._/ stay; every other byte becomes %hh.
inline std::string percent_coded(std::string_view text) {
    constexpr char kHex[] = "0123456789abcdef";
    std::string out;
    for (const char c : text) {
        const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
                           c == '.' || c == '_' || c == '/';
        if (plain) {
            out += c;
        } else {
            out += '%';
            out += kHex[c >> 4 & 15];
            out += kHex[c & 15];
        }
    }
    return out;
}

}  // namespace sla::exporting
