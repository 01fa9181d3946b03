// Columns of numbers as varints, written four or eight at a time: most columns are regular, and then one store does for all.
#pragma once

#include "proto/wire/varint.h"

#include <emmintrin.h>

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

inline constexpr std::size_t kStepsAtOnce = 8;
inline constexpr int kEveryByte = 0xffff;

inline __m128i two_at(const std::uint64_t* at) {
    return _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
}
inline bool is_zero(__m128i bits) {
    return _mm_movemask_epi8(_mm_cmpeq_epi8(bits, _mm_setzero_si128())) == kEveryByte;
}

// The steps between nine numbers that each rise by 128 to 16383, as ticks of a busy channel do: two bytes each, 16 in all.
// Gives their end; null: others, nothing is written. Some 30 instructions.
inline char* put_eight_rises(const std::uint64_t* at, char* out) {
    const __m128i steps[4] = {_mm_sub_epi64(two_at(at + 1), two_at(at)), _mm_sub_epi64(two_at(at + 3), two_at(at + 2)),
                              _mm_sub_epi64(two_at(at + 5), two_at(at + 4)), _mm_sub_epi64(two_at(at + 7), two_at(at + 6))};
    const __m128i all = _mm_or_si128(_mm_or_si128(steps[0], steps[1]), _mm_or_si128(steps[2], steps[3]));
    const __m128i beyond = _mm_and_si128(all, _mm_set1_epi64x(~0x3fff));
    if (!is_zero(beyond)) return nullptr;
    // The lower halves of each pair side by side, then those of each four.
    constexpr int kLowHalves = 0x88;
    const auto narrow = [](__m128i a, __m128i b) {
        return _mm_castps_si128(_mm_shuffle_ps(_mm_castsi128_ps(a), _mm_castsi128_ps(b), kLowHalves));
    };
    const __m128i eight = _mm_packs_epi32(narrow(steps[0], steps[1]), narrow(steps[2], steps[3]));
    if (_mm_movemask_epi8(_mm_cmpgt_epi16(eight, _mm_set1_epi16(0x7f))) != kEveryByte) return nullptr;
    const __m128i low = _mm_or_si128(_mm_and_si128(eight, _mm_set1_epi16(0x7f)), _mm_set1_epi16(0x80));
    const __m128i high = _mm_and_si128(_mm_slli_epi16(eight, 1), _mm_set1_epi16(0x7f00));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out), _mm_or_si128(low, high));
    return out + 2 * kStepsAtOnce;
}

// Nine numbers of which each is the one before the last again, as the values of a span's begin and end are.
inline bool are_by_turns(const std::uint64_t* at) {
    const __m128i first = two_at(at);
    const __m128i others = _mm_or_si128(_mm_xor_si128(first, two_at(at + 4)), _mm_xor_si128(first, two_at(at + 6)));
    return is_zero(_mm_or_si128(_mm_xor_si128(first, two_at(at + 2)), others)) && at[8] == at[0];
}

// The numbers number(0) .. number(count - 1) as varints. Four at a time: when all are below 128, as in regular columns, one
// store does, and when all take two bytes. Keeps its place in a local variable: through a member, each byte written might be
// the member.
template <typename Number>
char* put_numbers(std::size_t count, Number number, char* out, Turns& turns) {
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

// The steps step(0) .. step(count - 1) of a column. quick(first, out, turns) is asked for each eight of them: it puts them
// and gives their end, or null, and then they are put like all numbers.
template <typename Quick, typename Step>
char* put_steps(std::size_t count, Quick quick, Step step, char* out) {
    Turns turns;
    std::size_t done = 0;
    const auto next_step = [&](std::size_t i) { return step(done + i); };
    for (; done + kStepsAtOnce <= count; done += kStepsAtOnce) {
        char* const end = quick(done, out, turns);
        out = end != nullptr ? end : put_numbers(kStepsAtOnce, next_step, out, turns);
    }
    return put_numbers(count - done, next_step, out, turns);
}

}  // namespace sla::wire
