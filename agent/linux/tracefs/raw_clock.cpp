#include "agent/linux/tracefs/raw_clock.h"

#include "proto/time/tick_clock.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>

namespace sla::linux {
namespace {

constexpr std::size_t kReadings = 16;
constexpr std::uint64_t kClockReadingNs = 40;  // the kernel's own reading of the clock, from call to stamp

}  // namespace

RawClock::RawClock() {
    readings_.push_back(time::take_snapshot());
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    readings_.push_back(time::take_snapshot());
    fit();
}

void RawClock::fit() {
    map_ = time::ClockMap::fit(readings_, readings_.front().tick);
}

void RawClock::refresh(std::uint64_t now_tick) {
    const double seconds = static_cast<double>(now_tick - readings_.back().tick) / map_.ticks_per_second();
    if (now_tick < readings_.back().tick || seconds < 1) return;
    if (readings_.size() == kReadings) readings_.erase(readings_.begin() + 1);
    readings_.push_back(time::take_snapshot());
    fit();
}

std::uint64_t RawClock::tick_of(std::uint64_t raw_ns) const {
    const auto ns = static_cast<std::int64_t>(raw_ns) - readings_.front().monotonic_raw_ns;
    return map_.to_tick(ns * 1000);
}

std::uint64_t RawClock::error_ticks() const {
    const double per_ns = map_.ticks_per_second() * 1e-9;
    const std::uint32_t reading = std::max(readings_.front().error_ticks, readings_.back().error_ticks);
    const double slope = map_.slope_error_ppb() * 1e-9 * map_.ticks_per_second();  // over the second until the next reading
    return reading + static_cast<std::uint64_t>(std::ceil(slope + static_cast<double>(kClockReadingNs) * per_ns));
}

}  // namespace sla::linux
