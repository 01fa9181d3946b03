// Digits without division loops, for the table's hot path.
#pragma once

#include <fmt/compile.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace sla::formats {

// The digits of 0 to 999 as they are looked up: 4 KB each, so that both stay in the first cache.
struct ThreeDigits {
    std::array<std::uint32_t, 1000> padded{};   // "007" in the upper three bytes, a point in the lowest
    std::array<std::uint32_t, 1000> trimmed{};  // "7" in the lower bytes, how many there are in the highest

    constexpr ThreeDigits() {
        for (std::uint32_t i = 0; i < 1000; ++i) {
            const std::uint32_t text = ('0' + i / 100) | ('0' + i / 10 % 10) << 8 | ('0' + i % 10) << 16;
            const std::uint32_t length = i >= 100 ? 3 : i >= 10 ? 2 : 1;
            padded[i] = text << 8 | std::uint32_t{'.'};
            trimmed[i] = text >> (8 * (3 - length)) | length << 24;
        }
    }
};
inline constexpr ThreeDigits kThreeDigits;

inline char* put_trimmed(char* at, std::uint32_t below_1000) {
    const std::uint32_t text = kThreeDigits.trimmed[below_1000];
    std::memcpy(at, &text, sizeof text);
    return at + (text >> 24);
}
// Three digits; writes a byte more.
inline char* put_padded(char* at, std::uint32_t below_1000) {
    const std::uint32_t text = kThreeDigits.padded[below_1000] >> 8;
    std::memcpy(at, &text, sizeof text);
    return at + 3;
}
inline char* put_decimals(char* at, std::uint32_t below_1000) {
    std::memcpy(at, &kThreeDigits.padded[below_1000], 4);
    return at + 4;
}

// Any number; space for 24.
inline char* put_number(char* at, std::uint64_t number) {
    if (number < 1000) return put_trimmed(at, static_cast<std::uint32_t>(number));
    if (number < 1'000'000) {
        const auto small = static_cast<std::uint32_t>(number);
        return put_padded(put_trimmed(at, small / 1000), small % 1000);
    }
    return put_padded(put_number(at, number / 1000), static_cast<std::uint32_t>(number % 1000));
}

// The shortest text that reads back as the same number; space for 32.
inline char* put_shortest(char* at, double number) {
    return fmt::format_to(at, FMT_COMPILE("{}"), number);
}

// The same so that it reads back as a real number: "5.0" of 5; space for 32.
inline char* put_real(char* at, double number) {
    char* end = put_shortest(at, number);
    const std::size_t length = static_cast<std::size_t>(end - at);
    if (std::string_view(at, length).find_first_not_of("-0123456789") != std::string_view::npos) return end;
    *end++ = '.';
    *end++ = '0';
    return end;
}

// Nanoseconds with three decimals, of picoseconds that are not negative.
inline char* put_nanoseconds(char* at, std::uint64_t ps) {
    const std::uint64_t ns = ps / 1000;
    return put_decimals(put_number(at, ns), static_cast<std::uint32_t>(ps - ns * 1000));
}

// Of any.
inline char* put_signed_nanoseconds(char* at, std::int64_t ps) {
    const auto size = static_cast<std::uint64_t>(ps);
    *at = '-';
    return ps < 0 ? put_nanoseconds(at + 1, std::uint64_t{0} - size) : put_nanoseconds(at, size);
}

}  // namespace sla::formats
