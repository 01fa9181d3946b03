// The arithmetic of times kept as signed 64-bit picoseconds: limits, units, rounding that saturates instead of wrapping.
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <limits>

namespace sla::time {

inline constexpr std::int64_t kPicosecondsPerNanosecond = 1000;
inline constexpr std::int64_t kPicosecondsPerSecond = 1'000'000'000'000;
inline constexpr std::int64_t kMaxPs = std::numeric_limits<std::int64_t>::max();

// |number|, right for the smallest number too.
constexpr std::uint64_t magnitude(std::int64_t number) {
    return number < 0 ? std::uint64_t{0} - static_cast<std::uint64_t>(number) : static_cast<std::uint64_t>(number);
}

// `ps`, a bound that is not negative: rounded up, and kMaxPs where it is too large for the type.
inline std::int64_t saturated(long double ps) {
    return ps >= static_cast<long double>(kMaxPs) ? kMaxPs : static_cast<std::int64_t>(std::ceil(ps));
}

// The nearest whole number of any unit; the largest or least one where the type has no nearer.
inline std::int64_t nearest_whole(long double number) {
    constexpr auto kMax = static_cast<long double>(std::numeric_limits<std::int64_t>::max());
    return static_cast<std::int64_t>(std::clamp(std::round(number), -kMax, kMax));
}

// Whole nanoseconds at or below it, also of times before zero.
constexpr std::int64_t floor_ns(std::int64_t ps) {
    return ps / kPicosecondsPerNanosecond - (ps % kPicosecondsPerNanosecond < 0 ? 1 : 0);
}

inline std::int64_t ps_of(std::chrono::nanoseconds time) {
    return time.count() * kPicosecondsPerNanosecond;
}

}  // namespace sla::time
