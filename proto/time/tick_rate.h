// Which rates of a clock's ticks are possible: what says another one, from outside, is not read.
#pragma once

namespace sla::time {

inline constexpr double kMinTickRate = 1e3;   // a second
inline constexpr double kMaxTickRate = 1e12;  // times are whole picoseconds

// False for what is no number, too.
constexpr bool is_tick_rate(double hz) {
    return hz >= kMinTickRate && hz <= kMaxTickRate;
}

}  // namespace sla::time
