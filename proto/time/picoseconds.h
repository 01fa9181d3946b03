// The arithmetic of times kept as signed 64-bit picoseconds: limits, units, rounding that saturates instead of wrapping.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

namespace sla::time {

inline constexpr std::int64_t kPicosecondsPerNanosecond = 1000;
inline constexpr std::int64_t kMaxPs = std::numeric_limits<std::int64_t>::max();

// |number|, right for the smallest number too.
constexpr std::uint64_t magnitude(std::int64_t number) {
    return number < 0 ? std::uint64_t{0} - static_cast<std::uint64_t>(number) : static_cast<std::uint64_t>(number);
}

// `ps`, a bound that is not negative: rounded up, and kMaxPs where it is too large for the type.
inline std::int64_t saturated(long double ps) {
    return ps >= static_cast<long double>(kMaxPs) ? kMaxPs : static_cast<std::int64_t>(std::ceil(ps));
}

}  // namespace sla::time
