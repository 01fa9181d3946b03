// A fuzzer's input cut into messages: two bytes of length, then so many bytes (or what is left), again and again.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sla::fuzz {

inline std::vector<std::string_view> pieces_of(const std::uint8_t* data, std::size_t size) {
    std::vector<std::string_view> pieces;
    for (std::size_t at = 0; at + 2 <= size;) {
        const std::size_t wanted = data[at] | static_cast<std::size_t>(data[at + 1]) << 8;
        const std::size_t length = std::min(wanted, size - at - 2);
        pieces.emplace_back(reinterpret_cast<const char*>(data) + at + 2, length);
        at += 2 + length;
    }
    return pieces;
}

// The same the other way, for seeds.
inline void append_piece(const std::string& bytes, std::string& out) {
    out += static_cast<char>(bytes.size() & 0xff);
    out += static_cast<char>(bytes.size() >> 8 & 0xff);
    out += bytes;
}

}  // namespace sla::fuzz
