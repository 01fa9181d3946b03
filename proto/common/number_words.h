// Numbers as they are typed on a command line: whole ones in digits or as 0x..., others in digits with a point or an exponent.
// Nothing wraps, saturates or is read half.
#pragma once

#include "proto/base/text.h"

#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace sla::common {

// In digits, without leading zeros, as large as it may be; nothing when it is no whole number.
std::optional<std::string> whole_digits(std::string_view word);

// What is wrong with `word` as such a number, which is left in digits; "" when nothing is, but perhaps its size.
template <typename Number>
std::string read_number(std::string& word) {
    if constexpr (std::integral<Number>) {
        const auto digits = whole_digits(word);
        if (!digits) return "'" + word + "' is not a whole number";
        word = *digits;
    } else {
        const auto number = whole_number<Number>(std::string_view(word).substr(word.starts_with('+') ? 1 : 0));
        if (!number || !std::isfinite(*number)) return "'" + word + "' is not a number";
    }
    return {};
}

// What is wrong with the size of one that was read.
template <typename Number>
std::string out_of_range(const std::string& word) {
    using Limits = std::numeric_limits<Number>;
    if constexpr (std::integral<Number>) {
        if (!whole_number<Number>(word))
            return "'" + word + "' is not from " + std::to_string(Limits::min()) + " to " + std::to_string(Limits::max());
    }
    return {};
}

}  // namespace sla::common
