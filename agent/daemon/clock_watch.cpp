#include "agent/daemon/clock_watch.h"

#include "proto/time/tick_clock.h"

#include <algorithm>

namespace sla::daemon {
namespace {

constexpr std::size_t kKept = 64;
constexpr double kFirstIntervalSeconds = 0.02;
constexpr double kLongestIntervalSeconds = 10;

}  // namespace

ClockWatch::ClockWatch() : stamp_ticks_(time::measure_stamp_ticks()), nominal_hz_(time::tsc_health().nominal_hz) {
    double hz = nominal_hz_ > 0 ? nominal_hz_ : 2e9;
    interval_ = static_cast<std::uint64_t>(hz * kFirstIntervalSeconds);
}

std::optional<time::ClockSnapshot> ClockWatch::due(std::uint64_t now) {
    if (now < next_) return std::nullopt;
    time::ClockSnapshot snapshot = take();
    next_ = now + interval_;
    auto longest = static_cast<std::uint64_t>(map_.ticks_per_second() * kLongestIntervalSeconds);
    interval_ = std::min(interval_ * 2, longest);
    return snapshot;
}

time::ClockSnapshot ClockWatch::take() {
    time::ClockSnapshot snapshot = time::take_snapshot();
    snapshot.stamp_ticks = stamp_ticks_;
    if (snapshots_.size() == kKept) snapshots_.erase(snapshots_.begin() + 1);
    snapshots_.push_back(snapshot);
    map_ = time::ClockMap::fit(snapshots_, snapshots_.front().tick, nominal_hz_);
    return snapshot;
}

}  // namespace sla::daemon
