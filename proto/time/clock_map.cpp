#include "proto/time/clock_map.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <limits>
#include <optional>

namespace sla::time {
namespace {

using Wide = unsigned __int128;
using SignedWide = __int128;

constexpr std::int64_t kMaxPs = std::numeric_limits<std::int64_t>::max();
constexpr std::uint64_t kMaxTick = std::numeric_limits<std::uint64_t>::max();
constexpr double kNominalErrorPpb = 1e6;
constexpr double kUnknownErrorPpb = 1e9;
constexpr std::uint64_t kMaxPsPerTick = 1'000'000'000;  // 1 kHz

// Picoseconds per tick in 64.64 fixed point.
struct Slope {
    std::uint64_t whole = 1000;
    std::uint64_t fraction = 0;
    double error_ppb = 0;
};

Wide scale_of(std::uint64_t whole, std::uint64_t fraction) {
    return (static_cast<Wide>(whole) << 64) | fraction;
}

// ticks * scale / 2^64, to nearest, never above kMaxPs.
std::int64_t scaled(std::uint64_t ticks, std::uint64_t whole, std::uint64_t fraction) {
    const Wide rounded_fraction = (static_cast<Wide>(ticks) * fraction + (static_cast<Wide>(1) << 63)) >> 64;
    const Wide ps = static_cast<Wide>(ticks) * whole + rounded_fraction;
    return ps > static_cast<Wide>(kMaxPs) ? kMaxPs : static_cast<std::int64_t>(ps);
}

std::uint64_t magnitude(std::int64_t number) {
    return number < 0 ? std::uint64_t{0} - static_cast<std::uint64_t>(number) : static_cast<std::uint64_t>(number);
}

// Relative error of the slope between two snapshots: their own errors, and the nanosecond the kernel counts in.
double pair_error(const ClockSnapshot& first, const ClockSnapshot& last) {
    if (first.tick >= last.tick || first.monotonic_raw_ns >= last.monotonic_raw_ns) {
        return std::numeric_limits<double>::infinity();
    }
    const double ticks = static_cast<double>(last.tick - first.tick);
    const double nanoseconds = static_cast<double>(static_cast<SignedWide>(last.monotonic_raw_ns) - first.monotonic_raw_ns);
    return (static_cast<double>(first.error_ticks) + last.error_ticks) / ticks + 1.0 / nanoseconds;
}

std::optional<Slope> slope_between(const ClockSnapshot& first, const ClockSnapshot& last) {
    const double error = pair_error(first, last);
    if (!std::isfinite(error)) return std::nullopt;
    const Wide ticks = last.tick - first.tick;
    const Wide ps = static_cast<Wide>(static_cast<SignedWide>(last.monotonic_raw_ns) - first.monotonic_raw_ns) * 1000;
    const Wide whole = ps / ticks;
    if (whole < 1 || whole > kMaxPsPerTick) return std::nullopt;
    Slope slope;
    slope.whole = static_cast<std::uint64_t>(whole);
    slope.fraction = static_cast<std::uint64_t>(((ps % ticks) << 64) / ticks);
    slope.error_ppb = error * 1e9;
    return slope;
}

// Two passes instead of all pairs: the best partner of the newest snapshot, then the best partner of that one.
std::optional<Slope> best_slope(const std::vector<ClockSnapshot>& snapshots) {
    if (snapshots.size() < 2) return std::nullopt;
    const ClockSnapshot* newest = &snapshots.front();
    for (const ClockSnapshot& snapshot : snapshots) {
        if (snapshot.tick > newest->tick) newest = &snapshot;
    }
    const ClockSnapshot* first = &*std::min_element(
        snapshots.begin(), snapshots.end(),
        [&](const ClockSnapshot& a, const ClockSnapshot& b) { return pair_error(a, *newest) < pair_error(b, *newest); });
    const ClockSnapshot* last = &*std::min_element(
        snapshots.begin(), snapshots.end(),
        [&](const ClockSnapshot& a, const ClockSnapshot& b) { return pair_error(*first, a) < pair_error(*first, b); });
    return slope_between(*first, *last);
}

Slope nominal_slope(double hz) {
    Slope slope;
    slope.error_ppb = kUnknownErrorPpb;
    if (!(hz >= 1e3 && hz <= 1e12)) return slope;
    const long double ps_per_tick = 1e12L / static_cast<long double>(hz);
    const long double whole = std::floor(ps_per_tick);
    slope.whole = static_cast<std::uint64_t>(whole);
    slope.fraction = static_cast<std::uint64_t>((ps_per_tick - whole) * 0x1p64L);
    slope.error_ppb = kNominalErrorPpb;
    return slope;
}

}  // namespace

ClockMap ClockMap::fit(const std::vector<ClockSnapshot>& snapshots, std::uint64_t origin_tick, double fallback_hz) {
    const Slope slope = best_slope(snapshots).value_or(nominal_slope(fallback_hz));
    ClockMap map;
    map.origin_ = origin_tick;
    map.scale_hi_ = slope.whole;
    map.scale_lo_ = slope.fraction;
    map.slope_error_ppb_ = slope.error_ppb;

    std::uint64_t nearest = kMaxTick;
    for (const ClockSnapshot& snapshot : snapshots) {
        if (snapshot.stamp_ticks != 0) map.stamp_ticks_ = snapshot.stamp_ticks;
        const std::uint64_t distance =
            snapshot.tick > origin_tick ? snapshot.tick - origin_tick : origin_tick - snapshot.tick;
        if (snapshot.realtime_ns <= 0 || distance >= nearest) continue;
        nearest = distance;
        const std::int64_t since_origin_ns = map.to_ps(snapshot.tick) / 1000;
        if (__builtin_sub_overflow(snapshot.realtime_ns, since_origin_ns, &map.origin_realtime_ns_)) {
            map.origin_realtime_ns_ = 0;
        }
    }
    return map;
}

double ClockMap::ticks_per_second() const {
    return 1e12 / (static_cast<double>(scale_hi_) + static_cast<double>(scale_lo_) * 0x1p-64);
}

std::int64_t ClockMap::to_ps(std::uint64_t tick) const {
    return tick >= origin_ ? scaled(tick - origin_, scale_hi_, scale_lo_) : -scaled(origin_ - tick, scale_hi_, scale_lo_);
}

std::int64_t ClockMap::ticks_to_ps(std::int64_t ticks) const {
    const std::int64_t ps = scaled(magnitude(ticks), scale_hi_, scale_lo_);
    return ticks < 0 ? -ps : ps;
}

std::uint64_t ClockMap::to_tick(std::int64_t ps) const {
    const Wide scale = scale_of(scale_hi_, scale_lo_);
    const Wide dividend = static_cast<Wide>(magnitude(ps)) << 64;
    const Wide remainder = dividend % scale;
    const Wide distance = dividend / scale + (remainder >= scale - remainder ? 1 : 0);
    if (ps < 0) return distance > origin_ ? 0 : origin_ - static_cast<std::uint64_t>(distance);
    return distance > kMaxTick - origin_ ? kMaxTick : origin_ + static_cast<std::uint64_t>(distance);
}

std::int64_t ClockMap::delta_error_ps(std::uint64_t distance_ticks) const {
    const long double stamps = static_cast<long double>(scaled(std::uint64_t{2} + stamp_ticks_, scale_hi_, scale_lo_));
    const long double distance = static_cast<long double>(scaled(distance_ticks, scale_hi_, scale_lo_));
    const long double error = std::ceil(stamps + distance * static_cast<long double>(slope_error_ppb_) / 1e9L);
    return error >= static_cast<long double>(kMaxPs) ? kMaxPs : static_cast<std::int64_t>(error);
}

}  // namespace sla::time
