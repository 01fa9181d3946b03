// Numbers as Parquet packs them: 7 bits a byte, runs of small numbers, differences of large ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace sla::formats::parquet {

inline void put_varint(std::uint64_t number, std::string& out) {
    constexpr std::uint64_t kMore = 0x80;
    for (; number >= kMore; number >>= 7) out += static_cast<char>(number | kMore);
    out += static_cast<char>(number);
}
inline void put_zigzag(std::int64_t number, std::string& out) {
    put_varint(static_cast<std::uint64_t>(number) << 1 ^ static_cast<std::uint64_t>(number >> 63), out);
}
inline std::int64_t from_zigzag(std::uint64_t number) {
    return static_cast<std::int64_t>(number >> 1 ^ (std::uint64_t{0} - (number & 1)));
}

// Bits that hold this number.
unsigned bit_width(std::uint64_t number);

// A multiple of eight numbers, `width` bits each, from the lowest bit on. Width 0: nothing.
void put_packed(std::span<const std::uint64_t> numbers, unsigned width, std::string& out);

// The hybrid of runs: `count << 1, value` of a number that repeats, `groups << 1 | 1, bits` of eight numbers a group. Width at
// least 1, at most 32.
void put_runs(std::span<const std::uint8_t> numbers, unsigned width, std::string& out);
void put_runs(std::span<const std::uint64_t> numbers, unsigned width, std::string& out);

// DELTA_BINARY_PACKED: the first number, then blocks of 128 differences, less the smallest of the block, packed 32 at a time
// with the bits that these need. Of numbers that rise a few bits each are left.
void put_deltas(std::span<const std::uint64_t> numbers, std::string& out);

}  // namespace sla::formats::parquet
