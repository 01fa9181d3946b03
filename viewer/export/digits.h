// Digits without division loops, for the table's hot path.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>

namespace sla::exporting {

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

// Any number; room for 24.
inline char* put_number(char* at, std::uint64_t number) {
    if (number < 1000) return put_trimmed(at, static_cast<std::uint32_t>(number));
    if (number < 1'000'000) {
        const auto small = static_cast<std::uint32_t>(number);
        return put_padded(put_trimmed(at, small / 1000), small % 1000);
    }
    return put_padded(put_number(at, number / 1000), static_cast<std::uint32_t>(number % 1000));
}

// Nanoseconds with three decimals, of picoseconds that are not negative.
inline char* put_nanoseconds(char* at, std::uint64_t ps) {
    const std::uint64_t ns = ps / 1000;
    return put_decimals(put_number(at, ns), static_cast<std::uint32_t>(ps - ns * 1000));
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

// Numbers that grow slowly: the digits above the lowest nine are made once and copied.
class LeadingDigits {
public:
    // Writes the number's digits to `at` (room for 32), with a point before the last three if wanted; gives the end.
    template <bool kPoint>
    char* put(char* at, std::uint64_t number) {
        const std::uint64_t high = number / kTenTo9;
        const auto low = static_cast<std::uint32_t>(number - high * kTenTo9);
        if (high == 0) return kPoint ? put_nanoseconds(at, low) : put_number(at, low);
        if (high != high_) remember(high);
        std::memcpy(at, text_, sizeof text_);
        at = put_padded(at + length_, low / 1'000'000);
        at = put_padded(at, low / 1000 % 1000);
        return kPoint ? put_decimals(at, low % 1000) : put_padded(at, low % 1000);
    }

private:
    static constexpr std::uint64_t kTenTo9 = 1'000'000'000;

    void remember(std::uint64_t high) {
        high_ = high;
        length_ = static_cast<std::size_t>(put_number(text_, high) - text_);
    }

    std::uint64_t high_ = 0;
    std::size_t length_ = 0;
    char text_[16] = {};
};

}  // namespace sla::exporting
