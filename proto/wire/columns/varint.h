// The integers of the batch columns: seven bits a byte, low ones first, the top bit set on all bytes but the last.
#pragma once

#include <cstddef>
#include <cstdint>

namespace sla::wire {

inline constexpr std::size_t kMaxVarintBytes = 10;

// Writes at most kMaxVarintBytes; returns the end.
inline char* put_varint(std::uint64_t number, char* out) {
    while (number >= 0x80) {
        *out++ = static_cast<char>(number | 0x80);
        number >>= 7;
    }
    *out++ = static_cast<char>(number);
    return out;
}

// Bytes from outside. Reads the shortest form only; false (and `at` anywhere up to `end`) when it is cut off, too long or
// beyond 64 bits.
inline bool get_varint(const char*& at, const char* end, std::uint64_t& number) {
    if (at == end) return false;
    auto byte = static_cast<unsigned char>(*at++);
    number = byte & 0x7f;
    for (unsigned shift = 7; byte >= 0x80; shift += 7) {
        if (at == end || shift > 63) return false;
        byte = static_cast<unsigned char>(*at++);
        if (byte == 0 || (shift == 63 && byte > 1)) return false;
        number |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
    }
    return true;
}

// Small numbers of either sign to small numbers: 0 -1 1 -2 2 ... to 0 1 2 3 4 ...
inline std::uint64_t zigzag(std::uint64_t number) {
    return number << 1 ^ (std::uint64_t{0} - (number >> 63));
}
inline std::uint64_t unzigzag(std::uint64_t number) {
    return number >> 1 ^ (std::uint64_t{0} - (number & 1));
}

}  // namespace sla::wire
