// Percent coding: any text as one word without blanks, for comments of formats that keep no names.
#pragma once

#include <string>
#include <string_view>

namespace sla::formats {

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

// -1: not two hex digits.
inline int hex_byte(std::string_view text) {
    int byte = 0;
    if (text.size() != 2) return -1;
    for (const char c : text) {
        const int digit = c >= '0' && c <= '9'   ? c - '0'
                          : c >= 'a' && c <= 'f' ? c - 'a' + 10
                          : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                                 : -1;
        if (digit < 0) return -1;
        byte = byte * 16 + digit;
    }
    return byte;
}

inline std::string percent_decoded(std::string_view text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const int byte = text[i] == '%' && i + 2 < text.size() ? hex_byte(text.substr(i + 1, 2)) : -1;
        out += byte < 0 ? text[i] : static_cast<char>(byte);
        if (byte >= 0) i += 2;
    }
    return out;
}

}  // namespace sla::formats
