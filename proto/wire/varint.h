// The integers of the batch columns: seven bits a byte, low ones first, the top bit set on all bytes but the last.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace sla::wire {

inline constexpr std::size_t kMaxVarintBytes = 10;
inline constexpr std::size_t kVarintSpill = 7;  // how many bytes more than they keep put_long_varint and put_small_varint write

// Writes at most kMaxVarintBytes; returns the end.
inline char* put_varint(std::uint64_t number, char* out) {
    while (number >= 0x80) {
        *out++ = static_cast<char>(number | 0x80);
        number >>= 7;
    }
    *out++ = static_cast<char>(number);
    return out;
}

// The same without a branch that depends on the length, since a wrong guess costs more than the writing: up to eight bytes are
// spread out of their groups of seven in three steps. Writes up to kVarintSpill bytes more than it keeps.
inline char* put_long_varint(std::uint64_t number, char* out) {
    if (__builtin_expect(number >> 56 != 0, 0)) return put_varint(number, out);
    const auto last = static_cast<unsigned>(std::bit_width(number | 1) - 1) / 7;  // the byte without a top bit
    std::uint64_t spread = (number & 0x00fffffff0000000) << 4 | (number & 0x000000000fffffff);
    spread = (spread & 0x0fffc0000fffc000) << 2 | (spread & 0x00003fff00003fff);
    spread = (spread & 0x3f803f803f803f80) << 1 | (spread & 0x007f007f007f007f);
    spread |= 0x0080808080808080 & ((std::uint64_t{1} << 8 * last) - 1);
    std::memcpy(out, &spread, sizeof spread);
    return out + last + 1;
}

// The same for columns of small numbers. Writes up to kVarintSpill bytes more than it keeps.
inline char* put_small_varint(std::uint64_t number, char* out) {
    if (__builtin_expect(number >= 1 << 14, 0)) return put_long_varint(number, out);
    const std::uint64_t two = number >> 7 != 0;
    const auto both = static_cast<std::uint16_t>((number & 0x7f) | two << 7 | number >> 7 << 8);
    std::memcpy(out, &both, sizeof both);
    return out + 1 + two;
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
