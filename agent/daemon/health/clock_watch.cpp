#include "agent/daemon/health/clock_watch.h"

#include "proto/time/tick_clock.h"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

namespace sla::daemon {
namespace {

constexpr std::size_t kKept = 64;
constexpr double kFirstIntervalSeconds = 0.02;
constexpr double kLongestIntervalSeconds = 10;
constexpr double kSecondsBetweenNews = 10;
constexpr std::chrono::milliseconds kFirstLook{2};

// Where the processor does not say: from two readings so far apart that the rate is right to some 50 ppm. Triggers and
// limits that are set at the start need one at once.
double measured_hz() {
    time::ClockSnapshot first = time::take_snapshot();
    std::this_thread::sleep_for(kFirstLook);
    time::ClockSnapshot second = time::take_snapshot();
    auto ns = static_cast<double>(second.monotonic_raw_ns - first.monotonic_raw_ns);
    return ns > 0 ? static_cast<double>(second.tick - first.tick) * 1e9 / ns : 0;
}

}  // namespace

ClockWatch::ClockWatch(ReadWall read_wall)
    : read_wall_(std::move(read_wall)),
      stamp_ticks_(time::measure_stamp_ticks()),
      nominal_hz_(time::stamp_clock() == time::StampClock::kTsc ? time::tsc_health().nominal_hz : 1e9),
      health_(time::stamp_clock(), time::tsc_health().invariant) {
    if (nominal_hz_ <= 0) nominal_hz_ = measured_hz();
    double hz = nominal_hz_ > 0 ? nominal_hz_ : 2e9;
    interval_ = static_cast<std::uint64_t>(hz * kFirstIntervalSeconds);
}

std::optional<time::ClockSnapshot> ClockWatch::due(std::uint64_t now) {
    bool jumped_back = next_ > now && next_ - now > 2 * interval_;
    if (now < next_ && !jumped_back) return std::nullopt;
    time::ClockSnapshot snapshot = take();
    next_ = now + interval_;
    auto longest = static_cast<std::uint64_t>(map_.ticks_per_second() * kLongestIntervalSeconds);
    interval_ = std::min(interval_ * 2, longest);
    return snapshot;
}

time::ClockSnapshot ClockWatch::take() {
    time::ClockSnapshot snapshot = time::take_snapshot();
    snapshot.stamp_ticks = stamp_ticks_;
    snapshot.wall = read_wall_();
    if (snapshots_.size() == kKept) snapshots_.erase(snapshots_.begin() + 1);
    snapshots_.push_back(snapshot);
    map_ = time::ClockMap::fit(snapshots_, snapshots_.front().tick, nominal_hz_);
    health_.on_snapshot(snapshot);
    return snapshot;
}

void ClockWatch::on_skew(const time::CoreSkew& skew) {
    std::lock_guard lock(skew_mutex_);
    skew_reported_ = skew;
}

const time::ClockHealth& ClockWatch::health() {
    std::lock_guard lock(skew_mutex_);
    if (skew_reported_) health_.on_skew(*std::exchange(skew_reported_, std::nullopt));
    return health_.health();
}

drain::StepClock ClockWatch::step_at(std::uint64_t now) {
    const time::ClockHealth& known = health();
    if (known.clock == time::StampClock::kMonotonicRaw) return drain::StepClock(now);  // one for all cores
    return drain::StepClock(now, known.skew.is_known() ? known.skew.bound.ticks : drain::kUnknownSkewTicks);
}

std::optional<std::string> ClockWatch::news(std::uint64_t now) {
    auto quiet = static_cast<std::uint64_t>(map_.ticks_per_second() * kSecondsBetweenNews);
    if (reported_at_ != 0 && now > reported_at_ && now - reported_at_ < quiet) return std::nullopt;
    std::string problem = health().problem();
    if (problem == reported_problem_) return std::nullopt;
    reported_at_ = now;
    reported_problem_ = problem;
    return problem.empty() ? "the clock that stamps is good again: " + health().text() : "clock: " + problem;
}

}  // namespace sla::daemon
