#include "proto/time/clock_map.h"

#include "proto/time/clock_fit.h"
#include "proto/time/picoseconds.h"
#include "proto/time/tick_rate.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

namespace sla::time {
namespace {

using Wide = unsigned __int128;

constexpr std::uint64_t kMaxTick = std::numeric_limits<std::uint64_t>::max();
constexpr double kNominalErrorPpb = 1e6;
constexpr double kUnknownErrorPpb = 1e9;

Wide scale_of(std::uint64_t whole, std::uint64_t fraction) {
    return (static_cast<Wide>(whole) << 64) | fraction;
}

// ticks * scale / 2^64, to nearest, never above kMaxPs. Most are of a table's row and small: then two multiplications do.
std::int64_t scaled(std::uint64_t ticks, std::uint64_t whole, std::uint64_t fraction) {
    constexpr std::uint64_t kShort = std::uint64_t{1} << 40;  // some minutes
    constexpr std::uint64_t kFast = std::uint64_t{1} << 22;   // a quarter of a megahertz and more
    if (ticks < kShort && whole < kFast) {
        const Wide small_fraction = static_cast<Wide>(ticks) * fraction + (static_cast<Wide>(1) << 63);
        return static_cast<std::int64_t>(ticks * whole + static_cast<std::uint64_t>(small_fraction >> 64));
    }
    const Wide rounded_fraction = (static_cast<Wide>(ticks) * fraction + (static_cast<Wide>(1) << 63)) >> 64;
    const Wide ps = static_cast<Wide>(ticks) * whole + rounded_fraction;
    return ps > static_cast<Wide>(kMaxPs) ? kMaxPs : static_cast<std::int64_t>(ps);
}

Slope nominal_slope(double hz) {
    Slope slope;
    slope.error_ppb = kUnknownErrorPpb;
    if (!is_tick_rate(hz)) return slope;
    const long double ps_per_tick = 1e12L / static_cast<long double>(hz);
    const long double whole = std::floor(ps_per_tick);
    slope.whole = static_cast<std::uint64_t>(whole);
    slope.fraction = static_cast<std::uint64_t>((ps_per_tick - whole) * 0x1p64L);
    slope.error_ppb = kNominalErrorPpb;
    return slope;
}

}  // namespace

ClockMap ClockMap::fit(const std::vector<ClockSnapshot>& snapshots, std::uint64_t origin_tick, double fallback_hz) {
    ClockFit fit;
    fit.slope = nominal_slope(fallback_hz);
    fit = fit_clock(snapshots).value_or(std::move(fit));
    const Slope& slope = fit.slope;
    ClockMap map;
    map.origin_ = origin_tick;
    map.scale_hi_ = slope.whole;
    map.scale_lo_ = slope.fraction;
    map.slope_error_ppb_ = slope.error_ppb;
    map.residual_ps_ = fit.residual_ps;
    map.breaks_ = std::move(fit.breaks);

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

std::optional<std::int64_t> ClockMap::utc_ns(std::uint64_t tick) const {
    std::int64_t sum = 0;
    if (origin_realtime_ns_ == 0 || __builtin_add_overflow(origin_realtime_ns_, floor_ns(to_ps(tick)), &sum))
        return std::nullopt;
    return sum;
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

std::int64_t ClockMap::delta_error_ps(std::uint64_t distance_ticks, Stamps stamps) const {
    const bool skewed = stamps == Stamps::kTwoThreads || (stamps == Stamps::kOneThread && !skew_.synchronized);
    const std::uint64_t at_the_ends = std::uint64_t{2} + (stamps == Stamps::kMadeUp ? 0 : stamp_ticks_);
    const std::uint64_t skew = skewed ? std::min(skew_.ticks, kMaxTick - at_the_ends) : 0;
    const auto ends = static_cast<long double>(scaled(at_the_ends + skew, scale_hi_, scale_lo_));
    const auto distance = static_cast<long double>(scaled(distance_ticks, scale_hi_, scale_lo_));
    const long double error = ends + distance * static_cast<long double>(slope_error_ppb_) / 1e9L;
    return saturated(std::ceil(error) + static_cast<long double>(residual_ps_));
}

void ClockMap::count_made_up_time() {
    stamp_ticks_ = 0;
    residual_ps_ = 0;
    skew_ = {};
    breaks_.clear();
}

void ClockMap::add_error(std::int64_t ps, double slope_error_ppb) {
    residual_ps_ = saturated(static_cast<long double>(residual_ps_) + static_cast<long double>(ps));
    slope_error_ppb_ += slope_error_ppb;
}

std::int64_t ClockMap::error_between(std::uint64_t from_tick, std::uint64_t to_tick, Stamps stamps) const {
    const auto [first, last] = std::minmax(from_tick, to_tick);
    const auto error = static_cast<long double>(delta_error_ps(last - first, stamps));
    return breaks_.empty() ? saturated(error) : saturated(error + static_cast<long double>(breaks_between(first, last)));
}

std::int64_t ClockMap::breaks_between(std::uint64_t from_tick, std::uint64_t to_tick) const {
    const auto [first, last] = std::minmax(from_tick, to_tick);
    long double sum = 0;
    for (const ClockBreak& one : breaks_) {
        if (one.from_tick < last && one.until_tick > first) sum += static_cast<long double>(one.ps);
    }
    return saturated(sum);
}

}  // namespace sla::time
