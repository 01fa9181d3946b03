// A column of numbers as varints, written four at a time: most columns are regular, and then one store does for four.
#pragma once

#include "proto/wire/varint.h"

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace sla::wire {

inline constexpr std::size_t kNumberSpill = 2 * kMaxVarintBytes;  // how many bytes more than it keeps put_numbers writes

// Four numbers, each of 128 to 16383, as two bytes each; false: another mixture.
inline bool put_four_pairs(const std::uint64_t (&four)[4], std::uint64_t all, char* out) {
    constexpr std::uint64_t kEach = 0x0001000100010001;
    if (all >= 1 << 14) return false;
    // A lane of 16 bits reaches 0x8000 by this sum when its number is 128 or more; none can spill into the next.
    const std::uint64_t packed = four[0] | four[1] << 16 | four[2] << 32 | four[3] << 48;
    if (((packed + 0x7f80 * kEach) & 0x8000 * kEach) != 0x8000 * kEach) return false;
    const std::uint64_t bytes = (packed & 0x7f * kEach) | 0x80 * kEach | (packed & 0x3f80 * kEach) << 1;
    std::memcpy(out, &bytes, sizeof bytes);
    return true;
}

// Two numbers that come again and again by turns, as the values of a span's begin and end do: written once, then copied.
class Turns {
public:
    // The two of them twice.
    char* put_twice(std::uint64_t first, std::uint64_t second, char* out) {
        if (first != first_ || second != second_ || length_ == 0) write(first, second);
        std::memcpy(out, bytes_, sizeof bytes_);
        std::memcpy(out + length_, bytes_, sizeof bytes_);
        return out + 2 * length_;
    }

private:
    void write(std::uint64_t first, std::uint64_t second) {
        first_ = first;
        second_ = second;
        length_ = static_cast<std::size_t>(put_varint(second, put_varint(first, bytes_)) - bytes_);
    }
    std::uint64_t first_ = 0;
    std::uint64_t second_ = 0;
    std::size_t length_ = 0;
    char bytes_[2 * kMaxVarintBytes] = {};
};

// The numbers number(0) .. number(count - 1) as varints. Four at a time: when all are below 128, as in regular columns, one
// store does, and when all take two bytes. Keeps its place in a local variable: through a member, each byte written might be
// the member.
template <typename Number>
char* put_numbers(std::size_t count, Number number, char* out) {
    Turns turns;
    std::size_t i = 0;
    for (; i + 4 <= count; i += 4) {
        const std::uint64_t four[4] = {number(i), number(i + 1), number(i + 2), number(i + 3)};
        const std::uint64_t all = four[0] | four[1] | four[2] | four[3];
        if (all < 0x80) {
            const auto bytes = static_cast<std::uint32_t>(four[0] | four[1] << 8 | four[2] << 16 | four[3] << 24);
            std::memcpy(out, &bytes, sizeof bytes);
            out += sizeof bytes;
        } else if (put_four_pairs(four, all, out)) {
            out += sizeof(std::uint64_t);
        } else if (four[0] == four[2] && four[1] == four[3]) {
            out = turns.put_twice(four[0], four[1], out);
        } else {
            for (const std::uint64_t one : four) out = put_small_varint(one, out);
        }
    }
    for (; i < count; ++i) out = put_varint(number(i), out);
    return out;
}

}  // namespace sla::wire
