// Columns of 64-bit integers in blocks: each block's numbers as distances from a base of its own, in as few bits as nearly
// all of them need; the few that need more stand behind as exceptions.
//
//   block    │ shape u8 │ base varint │ planes │ exceptions, when the shape says so │      128 numbers; the last has the rest
//   shape    bits 0-5 layout · bit 6: the base counts from the number before (a step), else from the one before the block
//            · bit 7: there are exceptions
//   base     zigzag; number = what it counts from + base + offset, all modulo 2^64
//   planes   layout 0: none, every offset is 0. Else of every offset the lowest (layout - 1) / 4 bytes, a plane of n bytes
//            each, and above them 1, 2, 4 or 8 bits ((layout - 1) % 4) in a plane of as many bytes as n such parts need:
//            byte i holds the parts i, i + bytes, i + 2 * bytes ..., from its low bits up; what is behind the last is 0
//   exceptions  │ how many u8 │ positions, rising, a byte each │ what their offsets have above the planes, varint each, not 0 │
//
// Whole bytes and halves of them, not bits at any place: a compressor behind finds them again, and it takes no shifts.
#pragma once

#include "proto/wire/columns/varint.h"

#include <cstddef>
#include <cstdint>

namespace sla::wire {

inline constexpr std::size_t kBlockNumbers = 128;
inline constexpr unsigned kLayouts = 33;

// No more bytes does put_packed touch for so many numbers.
constexpr std::size_t packed_capacity(std::size_t count) {
    constexpr std::size_t kBesides = 1 + 10 + 1 + 128;  // shape, base, number of exceptions, stores beyond the end
    return 8 * count + (count / kBlockNumbers + 1) * kBesides;
}
// At least so many are there of so many numbers.
constexpr std::size_t least_packed_bytes(std::size_t count) {
    return 2 * ((count + kBlockNumbers - 1) / kBlockNumbers);
}

enum class Steps : bool { kMaybe, kAlways };  // of numbers that only rise nothing else is worth a look

// Puts numbers[0 .. count), which follow numbers[-1]; gives the end. Some 1 ns a number (tests/bench/agent_bench).
char* put_packed(const std::uint64_t* numbers, std::size_t count, Steps steps, char* out);

// The same of a column of their own, at least one: the first as varint, blocks of the others.
inline char* put_numbers(const std::uint64_t* numbers, std::size_t count, char* out) {
    return put_packed(numbers + 1, count - 1, Steps::kMaybe, put_varint(numbers[0], out));
}

// Whether none of them is below the one before it.
bool never_falls(const std::uint64_t* numbers, std::size_t count);

// Bytes from outside. Reads numbers[0 .. count), which follow numbers[-1], and moves `at` behind them. Gives null, or what
// is wrong.
const char* get_packed(const char*& at, const char* end, std::size_t count, std::uint64_t* numbers);

// Likewise what put_numbers put.
inline const char* get_numbers(const char*& at, const char* end, std::size_t count, std::uint64_t* numbers) {
    if (!get_varint(at, end, numbers[0])) return "the first number is cut off or too long";
    return get_packed(at, end, count - 1, numbers + 1);
}

}  // namespace sla::wire
