// Numbers out of outside texts: exact, whole fields only.
#pragma once

#include "proto/base/text.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace sla::formats {

template <typename T>
std::optional<T> read_number(std::string_view text) {
    if (text.starts_with('+')) text.remove_prefix(1);
    return whole_number<T>(text);
}

// A decimal number times 10^shift as an integer, rounded towards zero: "1.5" with 3 is 1500. Nothing when it is no plain
// decimal, or beyond 10^30.
inline std::optional<__int128> read_scaled_wide(std::string_view text, int shift) {
    constexpr __int128 kLargest = static_cast<__int128>(1'000'000'000'000'000) * 1'000'000'000'000'000;
    const bool below = text.starts_with('-');
    if (below || text.starts_with('+')) text.remove_prefix(1);
    if (text.empty() || text == ".") return std::nullopt;
    __int128 number = 0;
    bool point = false;
    for (const char c : text) {
        if (c == '.' && !point) {
            point = true;
            continue;
        }
        if (c < '0' || c > '9') return std::nullopt;
        if (point && shift == 0) continue;
        number = number * 10 + (c - '0');
        if (point) --shift;
        if (number > kLargest) return std::nullopt;
    }
    for (; shift > 0; --shift) {
        number *= 10;
        if (number > kLargest) return std::nullopt;
    }
    return below ? -number : number;
}

// The same within 64 bits.
inline std::optional<std::int64_t> read_scaled(std::string_view text, int shift) {
    const auto number = read_scaled_wide(text, shift);
    if (!number || *number > INT64_MAX || *number < -INT64_MAX) return std::nullopt;
    return static_cast<std::int64_t>(*number);
}

}  // namespace sla::formats
