#include "emu/cpu/x86emu/arithmetic.h"

#include "emu/cpu/x86_state.h"

#include <bit>

namespace sla::cpu {

namespace {

constexpr std::uint32_t mask_of(unsigned bits) {
    return 0xFFFFFFFFU >> (32 - bits);
}
constexpr bool top(std::uint32_t value, unsigned bits) {
    return (value >> (bits - 1) & 1) != 0;
}

std::uint32_t with(std::uint32_t eflags, std::uint32_t flag, bool set) {
    return set ? eflags | flag : eflags & ~flag;
}

// SF, ZF and PF.
std::uint32_t with_result(std::uint32_t eflags, std::uint32_t value, unsigned bits) {
    eflags = with(eflags, flag::kSign, top(value, bits));
    eflags = with(eflags, flag::kZero, value == 0);
    return with(eflags, flag::kParity, std::popcount(value & 0xFF) % 2 == 0);
}

// One bit at a time: what CF and OF are is then what they are by definition. OF is that of a shift by one, of the last.
Computed step(unsigned operation, std::uint32_t value, unsigned bits, bool carry) {
    const bool left = operation == 0 || operation == 2 || operation == 4 || operation == 6;
    const bool out = left ? top(value, bits) : (value & 1) != 0;
    bool in = false;
    if (operation < 2) in = out;
    if (operation == 2 || operation == 3) in = carry;
    if (operation == 7) in = top(value, bits);
    const std::uint32_t moved =
        left ? (value << 1 | (in ? 1U : 0U)) & mask_of(bits) : value >> 1 | (in ? 1U << (bits - 1) : 0U);
    bool overflow = false;
    if (left) overflow = top(moved, bits) != out;
    if (operation == 1 || operation == 3) overflow = top(moved, bits) != top(moved, bits - 1);
    if (operation == 5) overflow = top(value, bits);
    return {moved, (out ? flag::kCarry : 0) | (overflow ? flag::kOverflow : 0)};
}

}  // namespace

Computed shift(unsigned operation, std::uint32_t value, unsigned bits, std::uint32_t count, std::uint32_t eflags) {
    count &= 31;
    if (count == 0) return {value, eflags};
    // Rotating all around changes CF and nothing else.
    for (std::uint32_t i = 0; i < count; ++i) {
        const Computed one = step(operation, value, bits, (eflags & flag::kCarry) != 0);
        value = one.value;
        eflags = (eflags & ~(flag::kCarry | flag::kOverflow)) | one.eflags;
    }
    return {value, operation < 4 ? eflags : with_result(eflags, value, bits)};
}

Computed double_shift(bool right, std::uint32_t value, std::uint32_t neighbour, unsigned bits, std::uint32_t count,
                      std::uint32_t eflags) {
    count &= 31;
    if (count == 0) return {value, eflags};
    const std::uint32_t before = value;
    // Counts beyond 16 bits go on with the value itself, as the processors of this century have it.
    std::uint64_t wide = right ? std::uint64_t{neighbour} << bits | value : std::uint64_t{value} << bits | neighbour;
    if (bits == 16) {
        wide = right ? wide | std::uint64_t{value} << 32 : (wide << 16 | value);
    }
    const unsigned all = bits == 16 ? 48 : 64;
    bool carry = false;
    if (right) {
        carry = (wide >> (count - 1) & 1) != 0;
        value = static_cast<std::uint32_t>(wide >> count) & mask_of(bits);
    } else {
        carry = (wide >> (all - count) & 1) != 0;
        value = static_cast<std::uint32_t>(wide >> (all - bits - count)) & mask_of(bits);
    }
    eflags = with(eflags, flag::kCarry, carry);
    eflags = with(eflags, flag::kOverflow, top(before, bits) != top(value, bits));
    return {value, with_result(eflags, value, bits)};
}

Computed bit_test(unsigned operation, std::uint32_t value, unsigned bit, std::uint32_t eflags) {
    const std::uint32_t mask = 1U << bit;
    eflags = with(eflags, flag::kCarry, (value & mask) != 0);
    switch (operation) {
        case 1: value |= mask; break;
        case 2: value &= ~mask; break;
        case 3: value ^= mask; break;
        default: break;
    }
    return {value, eflags};
}

Computed add(std::uint32_t left, std::uint32_t right, unsigned bits, std::uint32_t eflags) {
    const std::uint32_t sum = (left + right) & mask_of(bits);
    eflags = with(eflags, flag::kCarry, sum < left);
    eflags = with(eflags, flag::kAdjust, ((left ^ right ^ sum) & 0x10) != 0);
    eflags = with(eflags, flag::kOverflow, top((left ^ sum) & (right ^ sum), bits));
    return {sum, with_result(eflags, sum, bits)};
}

Computed subtract(std::uint32_t left, std::uint32_t right, unsigned bits, std::uint32_t eflags) {
    const std::uint32_t difference = (left - right) & mask_of(bits);
    eflags = with(eflags, flag::kCarry, left < right);
    eflags = with(eflags, flag::kAdjust, ((left ^ right ^ difference) & 0x10) != 0);
    eflags = with(eflags, flag::kOverflow, top((left ^ right) & (left ^ difference), bits));
    return {difference, with_result(eflags, difference, bits)};
}

}  // namespace sla::cpu
