// Digits without division loops, for the table's hot path.
#pragma once

#include <cstdint>
#include <cstring>

namespace sla::exporting {

inline constexpr std::uint64_t kTenTo8 = 100'000'000;

// Exactly eight digits of a number below 10^8, leading zeros included. Halves, quarters and digits are split side by side in
// one 64-bit word, each in the lowest byte of its lane; the division by 100 is (x * 10486) >> 20, exact below 10^4, the one
// by 10 is (x * 103) >> 10, exact below 10^2. Little-endian.
inline void put_eight_digits(char* at, std::uint32_t number) {
    const std::uint64_t quads = number / 10000 | static_cast<std::uint64_t>(number % 10000) << 32;
    const std::uint64_t hundreds = (quads * 10486) >> 20 & 0x0000007f'0000007f;
    const std::uint64_t pairs = hundreds | (quads - 100 * hundreds) << 16;
    const std::uint64_t tens = (pairs * 103) >> 10 & 0x000f'000f'000f'000f;
    const std::uint64_t digits = tens | (pairs - 10 * tens) << 8;
    const std::uint64_t text = digits | 0x3030303030303030;
    std::memcpy(at, &text, sizeof text);
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
