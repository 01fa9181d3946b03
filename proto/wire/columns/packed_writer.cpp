#include "proto/wire/columns/packed_offsets.h"
#include "proto/wire/columns/varint.h"

#include <cstring>

namespace sla::wire {
namespace {

using namespace packed;

// The offsets' lowest bits in plane after plane. Writes up to a group beyond their end.
template <typename Word>
SLA_INLINE char* put_planes(const Word* offsets, std::size_t count, std::size_t groups, unsigned layout, char* out) {
    const auto narrow = [&](unsigned shift, unsigned mask, char* to) __attribute__((always_inline)) {
        for (std::size_t g = 0; g < groups; ++g) {
            for (std::size_t i = 0; i < kGroup; ++i)
                to[g * kGroup + i] = static_cast<char>(static_cast<std::uint8_t>(offsets[g * kGroup + i] >> shift) & mask);
        }
    };
    const unsigned planes = planes_of(layout);
    for (unsigned plane = 0; plane < planes; ++plane, out += count) narrow(8 * plane, 0xff, out);
    const unsigned bits = top_bits_of(layout);
    if (bits == 0) return out;
    if (bits == 8) {
        narrow(8 * planes, 0xff, out);
        return out + count;
    }
    alignas(64) char parts[kBlockNumbers + kGroup];
    narrow(8 * planes, (1U << bits) - 1, parts);
    std::fill(parts + groups * kGroup, parts + groups * kGroup + kGroup, char{0});
    const std::size_t bytes = top_bytes(count, bits);
    std::memcpy(out, parts, bytes);
    for (unsigned shift = bits, from = 1; shift < 8; shift += bits, ++from) {
        for (std::size_t i = 0; i < bytes; ++i)
            out[i] = static_cast<char>(out[i] | static_cast<std::uint8_t>(parts[from * bytes + i]) << shift);
    }
    return out + bytes;
}

// One bit for each offset that has more than `width` bits.
template <typename Word>
SLA_INLINE void find_exceptions(const Offsets<Word>& offsets, std::size_t groups, unsigned width,
                                std::uint64_t (&found)[kBlockNumbers / 64]) {
    constexpr std::uint64_t kGather = 0x0102040810204080;  // the lowest bit of each byte to the top byte
    constexpr unsigned kBytes = sizeof(std::uint64_t);
    alignas(64) std::uint8_t is_above[kBlockNumbers];
    for (std::size_t g = 0; g < groups; ++g) {
        for (std::size_t i = 0; i < kGroup; ++i)
            is_above[g * kGroup + i] = static_cast<std::uint8_t>(offsets.at[g * kGroup + i] >> width != 0 ? 1 : 0);
    }
    for (std::size_t at = 0; at < groups * kGroup; at += kBytes) {
        std::uint64_t eight = 0;
        std::memcpy(&eight, is_above + at, kBytes);
        found[at / 64] |= eight * kGather >> 56 << at % 64;
    }
}

// Gives `out` itself when there is none: some widths are said with a bit too many. Null: there are more than `most`.
template <typename Word>
SLA_INLINE char* put_exceptions(const Offsets<Word>& offsets, std::size_t groups, std::size_t most, char* out) {
    const unsigned width = width_of(offsets.layout);
    std::uint64_t found[kBlockNumbers / 64] = {};
    find_exceptions(offsets, groups, width, found);
    const std::size_t count =
        static_cast<std::size_t>(std::popcount(found[0])) + static_cast<std::size_t>(std::popcount(found[1]));
    if (count == 0) return out;
    if (count > most) return nullptr;
    *out++ = static_cast<char>(count);
    char* above = out + count;
    for (std::size_t half = 0; half < 2; ++half) {
        for (std::uint64_t left = found[half]; left != 0; left &= left - 1) {
            const std::size_t position = half * 64 + static_cast<std::size_t>(std::countr_zero(left));
            *out++ = static_cast<char>(position);
            above = put_varint(offsets.at[position] >> width, above);
        }
    }
    return above;
}

// Null: there are more than so many exceptions.
template <typename Word>
SLA_INLINE char* put_offsets(const Offsets<Word>& offsets, std::size_t count, std::size_t groups, unsigned step_bit,
                             std::size_t most_exceptions, char* out) {
    char* const shape = out;
    *shape = static_cast<char>(offsets.layout | step_bit);
    out = put_varint(zigzag(offsets.base), out + 1);
    out = put_planes(offsets.at, count, groups, offsets.layout, out);
    if (!offsets.has_exceptions) return out;
    char* const end = put_exceptions(offsets, groups, most_exceptions, out);
    if (end != nullptr && end != out) *shape = static_cast<char>(offsets.layout | step_bit | kExceptionsBit);
    return end;
}

// Signed distances of a block's numbers, the last one repeated up to a whole group. False: they need more bits.
template <typename Word>
struct Distances {
    using Signed = std::make_signed_t<Word>;

    // From the number `back` places before each (1), or from the one before the block (0).
    template <std::size_t kBack>
    SLA_INLINE bool take(const std::uint64_t* numbers, std::size_t count) {
        constexpr std::uint64_t kHalf = std::uint64_t{1} << 30;
        const std::uint64_t* const before = numbers - 1;  // of each number
        std::uint64_t beyond[kGroup] = {};
        std::size_t at = 0;
        for (; at + kGroup <= count; at += kGroup) {
            for (std::size_t i = 0; i < kGroup; ++i) {
                const std::uint64_t from = before[kBack == 1 ? at + i : 0];
                const std::uint64_t distance = numbers[at + i] - from;
                beyond[i] |= distance + kHalf;
                values[at + i] = static_cast<Signed>(distance);
            }
        }
        for (; at < count; ++at) {
            const std::uint64_t distance = numbers[at] - before[kBack == 1 ? at : 0];
            beyond[0] |= distance + kHalf;
            values[at] = static_cast<Signed>(distance);
        }
        while (at % kGroup != 0) values[at++] = values[count - 1];
        std::uint64_t all = 0;
        for (const std::uint64_t one : beyond) all |= one;
        return sizeof(Word) == sizeof(std::uint64_t) || all >> 31 == 0;
    }

    alignas(64) Signed values[kBlockNumbers];
};

// What was best for the block before is nearly always good for the next ones, and costs half when it need not be found out:
// it is, anew, after some blocks, and when it takes more bytes than it did.
struct Habit {
    bool steps = true;
    unsigned layout = 0;
    std::size_t bytes = 0;
    unsigned left = 0;  // blocks that may go by it
};
constexpr unsigned kBlocksOfHabit = 7;
constexpr std::size_t kExceptionsOfHabit = 32;  // they stay within what packed_capacity says

// Null: it is a habit no more.
template <typename Word>
SLA_INLINE char* put_by_habit(const std::uint64_t* numbers, std::size_t count, const Habit& habit, char* out) {
    const std::size_t groups = (count + kGroup - 1) / kGroup;
    Distances<Word> distances;
    Offsets<Word> offsets;
    const bool fits = habit.steps ? distances.template take<1>(numbers, count) : distances.template take<0>(numbers, count);
    if (!fits) return nullptr;
    take_offsets(distances.values, count, groups, offsets);
    const auto most = static_cast<unsigned>(std::bit_width(offsets.all));
    offsets.has_exceptions = most > width_of(habit.layout);
    offsets.layout = offsets.has_exceptions ? habit.layout : layout_for(most);
    char* const end = put_offsets(offsets, count, groups, habit.steps ? kStepBit : 0, kExceptionsOfHabit, out);
    if (end == nullptr || static_cast<std::size_t>(end - out) > habit.bytes + habit.bytes / 8 + 2) return nullptr;
    return end;
}

// Null: these numbers need wider words.
template <typename Word>
SLA_INLINE char* put_best(const std::uint64_t* numbers, std::size_t count, Steps steps, Habit& habit, char* out) {
    const std::size_t groups = (count + kGroup - 1) / kGroup;
    Distances<Word> distances;
    Offsets<Word> by_step;
    Offsets<Word> plain;
    if (!distances.template take<1>(numbers, count)) return nullptr;
    take_offsets(distances.values, count, groups, by_step);
    choose_layout(by_step, count, groups);
    bool is_plain = false;
    if (steps == Steps::kMaybe && by_step.bytes > 1 && distances.template take<0>(numbers, count)) {
        take_offsets(distances.values, count, groups, plain);
        choose_layout(plain, count, groups);
        is_plain = plain.bytes <= by_step.bytes;
    }
    const Offsets<Word>& best = is_plain ? plain : by_step;
    char* const end = put_offsets(best, count, groups, is_plain ? 0 : kStepBit, kBlockNumbers, out);
    habit = {!is_plain, best.layout, static_cast<std::size_t>(end - out), kBlocksOfHabit};
    return end;
}

template <typename Word>
SLA_INLINE char* put_block(const std::uint64_t* numbers, std::size_t count, Steps steps, Habit& habit, char* out) {
    if (habit.left > 0) {
        --habit.left;
        if (char* const end = put_by_habit<Word>(numbers, count, habit, out)) return end;
    }
    return put_best<Word>(numbers, count, steps, habit, out);
}

SLA_INLINE char* put_all(const std::uint64_t* numbers, std::size_t count, Steps steps, char* out) {
    Habit habit;
    bool is_wide = false;  // the block before needed wide words: this one probably will
    for (std::size_t at = 0; at < count; at += kBlockNumbers) {
        const std::size_t here = std::min(count - at, kBlockNumbers);
        char* end = is_wide && habit.left > 0 ? nullptr : put_block<std::uint32_t>(numbers + at, here, steps, habit, out);
        is_wide = end == nullptr;
        out = is_wide ? put_block<std::uint64_t>(numbers + at, here, steps, habit, out) : end;
    }
    return out;
}

[[gnu::target("avx2,bmi,bmi2,popcnt")]] char* put_with_avx2(const std::uint64_t* numbers, std::size_t count, Steps steps,
                                                            char* out) {
    return put_all(numbers, count, steps, out);
}

}  // namespace

// A rise of less than 2^63 leaves the top bit of the difference 0, and so do all in nearly every column: then one look at all
// differences together does.
bool never_falls(const std::uint64_t* numbers, std::size_t count) {
    std::uint64_t differences = 0;
    for (std::size_t i = 1; i < count; ++i) differences |= numbers[i] - numbers[i - 1];
    return differences >> 63 == 0 || std::is_sorted(numbers, numbers + count);
}

char* packed::put_everywhere(const std::uint64_t* numbers, std::size_t count, Steps steps, char* out) {
    return put_all(numbers, count, steps, out);
}

char* put_packed(const std::uint64_t* numbers, std::size_t count, Steps steps, char* out) {
    static const bool is_wide = has_avx2();
    return is_wide ? put_with_avx2(numbers, count, steps, out) : packed::put_everywhere(numbers, count, steps, out);
}

}  // namespace sla::wire
