// Number: one that an event carries, as it carries it. NumberKey: all of them, whole and real, in one order, as integers that
// compare like the numbers do; nothing is rounded.
//
//   bit 0         0 of a whole number, 1 of a real one: of equal ones the whole number comes first
//   bits 1 to 78  kZero + exponent and 64 bits of mantissa, or kZero - 1 - these of a negative one (-0 is right below 0)
//
// Cost: 2 to 3 ns a number.
#pragma once

#include "proto/wire/event.h"

#include <bit>
#include <cstdint>
#include <limits>

namespace sla::analysis {

struct Number {
    std::uint8_t code = SLA_CODE_VALUE_SIGNED;
    std::uint64_t bits = 0;
};

using NumberKey = unsigned __int128;

namespace number_key {

constexpr NumberKey kZero = NumberKey{1} << 77;
constexpr int kBias = 2048;  // of exponents; a double's are -1074 to 1024

constexpr NumberKey signed_value(bool is_negative, NumberKey magnitude) {
    return is_negative ? kZero - 1 - magnitude : kZero + magnitude;
}
// Of mantissa * 2^exponent, not 0.
constexpr NumberKey magnitude(std::uint64_t mantissa, int exponent) {
    const int zeros = std::countl_zero(mantissa);
    return static_cast<NumberKey>(63 - zeros + exponent + kBias) << 64 | mantissa << zeros;
}

}  // namespace number_key

constexpr NumberKey key_of_whole(bool is_negative, std::uint64_t absolute) {
    return number_key::signed_value(is_negative, absolute == 0 ? 0 : number_key::magnitude(absolute, 0)) << 1;
}

// Not of NaN; of an infinite one as of 2^1024.
constexpr NumberKey key_of_real(double number) {
    const std::uint64_t bits = std::bit_cast<std::uint64_t>(number);
    const auto exponent = static_cast<int>(bits >> 52 & 0x7ff);
    const std::uint64_t fraction = bits & ((std::uint64_t{1} << 52) - 1);
    NumberKey magnitude = 0;
    if (exponent != 0) {
        magnitude = number_key::magnitude(fraction | std::uint64_t{1} << 52, exponent - 1075);
    } else if (fraction != 0) {
        magnitude = number_key::magnitude(fraction, -1074);
    }
    return number_key::signed_value((bits >> 63) != 0, magnitude) << 1 | 1;
}

// Of an event's number that is not NaN.
constexpr NumberKey key_of(std::uint8_t code, std::uint64_t bits) {
    switch (wire::value_type_of(code)) {
        case wire::ValueType::kFloat: return key_of_real(std::bit_cast<double>(bits));
        case wire::ValueType::kSigned: {
            const bool is_negative = static_cast<std::int64_t>(bits) < 0;
            return key_of_whole(is_negative, is_negative ? std::uint64_t{0} - bits : bits);
        }
        default: return key_of_whole(false, bits);
    }
}

constexpr bool is_whole(NumberKey key) {
    return (key & 1) == 0;
}
// The same for equal numbers, and for no others.
constexpr NumberKey value_of(NumberKey key) {
    return key | 1;
}

Number number_of(NumberKey key);

}  // namespace sla::analysis
