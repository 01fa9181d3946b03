#include "emu/machine/tick_time.h"

#include <cmath>

namespace sla::machine {

namespace {

constexpr std::uint64_t kReach = std::uint64_t{1} << 21;    // a millisecond, or less
constexpr std::uint64_t kStretch = std::uint64_t{1} << 26;  // some 20 ms
constexpr std::uint64_t kWidest = 1024;                     // a reading that takes longer was interrupted
constexpr double kUnsteady = 1e-3;                          // NTP changes a clock by half of that, at most

}  // namespace

// The tick was before this reading, if it is one of the TSC.
bus::Nanoseconds TickTime::look(std::uint64_t tick) {
    const Reading now = read_();
    reach_ = 0;
    if (now.width > kWidest) return now.time;
    last_ = now;
    measure();
    if (is_steady_) reach_ = kReach;
    const std::uint64_t ago = now.tick - tick;
    return ago < reach_ ? now.time - nanoseconds(ago) : now.time;
}

void TickTime::measure() {
    if (base_.tick == 0) base_ = last_;
    const std::uint64_t stretch = last_.tick - base_.tick;
    if (stretch < kStretch) return;
    const double length = static_cast<double>(last_.time - base_.time) / static_cast<double>(stretch);
    is_steady_ = std::abs(length - length_) < kUnsteady * length_;
    length_ = length;
    scaled_length_ = static_cast<std::uint64_t>(std::llround(std::ldexp(length, kScale)));
    base_ = last_;
}

}  // namespace sla::machine
