// Digits without division loops, for the table's hot path.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>

namespace sla::exporting {

inline constexpr std::uint64_t kTenTo8 = 100'000'000;

// Eight digits of a number below 10^8, the first in the lowest byte, as numbers from 0 to 9. Halves, quarters and digits are
// split side by side in one 64-bit word, each in the lowest byte of its lane; the division by 100 is (x * 10486) >> 20,
// exact below 10^4, the one by 10 is (x * 103) >> 10, exact below 10^2. Little-endian.
inline std::uint64_t eight_digits(std::uint32_t number) {
    const std::uint64_t quads = number / 10000 | static_cast<std::uint64_t>(number % 10000) << 32;
    const std::uint64_t hundreds = (quads * 10486) >> 20 & 0x0000007f'0000007f;
    const std::uint64_t pairs = hundreds | (quads - 100 * hundreds) << 16;
    const std::uint64_t tens = (pairs * 103) >> 10 & 0x000f'000f'000f'000f;
    return tens | (pairs - 10 * tens) << 8;
}

inline constexpr std::uint64_t kZeros = 0x3030303030303030;

// Exactly eight digits, leading zeros included.
inline void put_eight_digits(char* at, std::uint32_t number) {
    const std::uint64_t text = eight_digits(number) | kZeros;
    std::memcpy(at, &text, sizeof text);
}

// The digits without leading zeros, but at least `least` of them; gives the end. Writes eight bytes whatever the length.
inline char* put_short(char* at, std::uint32_t number, unsigned least) {
    const std::uint64_t digits = eight_digits(number);
    const auto zeros = std::min(static_cast<unsigned>(std::countr_zero(digits | std::uint64_t{1} << 63)) / 8, 8 - least);
    const std::uint64_t text = (digits | kZeros) >> 8 * zeros;
    std::memcpy(at, &text, sizeof text);
    return at + 8 - zeros;
}

// Any number; room for 28 bytes.
inline char* put_digits(char* at, std::uint64_t number) {
    if (number < kTenTo8) return put_short(at, static_cast<std::uint32_t>(number), 1);
    const std::uint64_t high = number / kTenTo8;
    at = put_digits(at, high);
    put_eight_digits(at, static_cast<std::uint32_t>(number - high * kTenTo8));
    return at + 8;
}

// 12345678 -> 12345.678, the digits ending at `end`.
inline char* with_point(char* end) {
    std::memmove(end - 2, end - 3, 3);
    end[-3] = '.';
    return end + 1;
}

// Picoseconds as nanoseconds with three decimals; room for 32 bytes.
inline char* put_ns_of_ps(char* at, std::int64_t ps) {
    std::uint64_t size = static_cast<std::uint64_t>(ps);
    if (ps < 0) {
        *at++ = '-';
        size = std::uint64_t{0} - size;
    }
    if (size < kTenTo8) return with_point(put_short(at, static_cast<std::uint32_t>(size), 4));
    return with_point(put_digits(at, size));
}

// 0, 1, 2, … as decimal text, counted in the text itself.
class DecimalCounter {
public:
    static constexpr std::size_t kMost = 20;

    // kMost bytes may be copied from here, whatever the length.
    [[nodiscard]] const char* begin() const { return text_ + kMost - length_; }
    [[nodiscard]] std::size_t length() const { return length_; }
    void next() {
        char* at = text_ + kMost - 1;
        while (*at == '9') *at-- = '0';
        ++*at;
        const auto length = static_cast<std::size_t>(text_ + kMost - at);
        if (length > length_) length_ = length;
    }

private:
    char text_[2 * kMost] = {'0', '0', '0', '0', '0', '0', '0', '0', '0', '0',
                             '0', '0', '0', '0', '0', '0', '0', '0', '0', '0'};
    std::size_t length_ = 1;
};

// Numbers that grow slowly: the digits above the lowest eight are made once and copied.
class LeadingDigits {
public:
    // Writes the number's digits to `at` (room for 24); gives the end.
    char* put(char* at, std::uint64_t number) {
        const std::uint64_t high = number / kTenTo8;
        if (high != high_) remember(high);
        std::memcpy(at, text_, sizeof text_);
        char* const rest = at + length_;
        put_eight_digits(rest, static_cast<std::uint32_t>(number - high * kTenTo8));
        if (length_ > 0) return rest + 8;
        return without_zeros(rest);
    }

private:
    void remember(std::uint64_t high) {
        high_ = high;
        char digits[16];
        char* at = digits + sizeof digits;
        for (; high > 0; high /= 10) *--at = static_cast<char>('0' + high % 10);
        length_ = static_cast<std::size_t>(digits + sizeof digits - at);
        std::memcpy(text_, at, length_);
    }
    static char* without_zeros(char* at) {
        std::size_t zeros = 0;
        while (zeros < 7 && at[zeros] == '0') ++zeros;
        std::memmove(at, at + zeros, 8 - zeros);
        return at + 8 - zeros;
    }

    std::uint64_t high_ = 0;
    std::size_t length_ = 0;
    char text_[16] = {};
};

}  // namespace sla::exporting
