#include "proto/time/wall_axis.h"

#include "proto/time/duration.h"
#include "proto/time/picoseconds.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace sla::time {
namespace {

using Snapshots = std::vector<ClockSnapshot>;

constexpr std::int64_t kNsPerSecond = 1'000'000'000;
constexpr std::int64_t kSecondsErrorNs = 500'000;  // the kernel adds it to max_error every second, all at once
constexpr long double kMaxSlew = 500e-6L;          // more is no slewing of the kernel's
constexpr long double kSmallestSetNs = 1000;       // beside what slewing explains
constexpr std::int64_t kUnmeasuredReadingNs =
    1000;  // CLOCK_REALTIME right after the tick, by agents that did not measure it

std::int64_t ticks_to_ns_rounded_up(std::int64_t ticks, const ClockMap& clock) {
    return clock.ticks_to_ps(ticks) / kPicosecondsPerNanosecond + 1;
}

std::int64_t reading_error_ns(const ClockSnapshot& snapshot, const ClockMap& clock) {
    const std::int64_t ns =
        ticks_to_ns_rounded_up(std::int64_t{snapshot.error_ticks} + snapshot.realtime_error_ticks, clock);
    return snapshot.realtime_error_ticks == 0 ? ns + kUnmeasuredReadingNs : ns;
}

// A PTP clock runs in UTC or, mostly, in TAI: whichever is nearer.
std::int64_t to_utc_by_ptp(const WallClock& wall) {
    const std::int64_t tai = wall.tai_offset_s * kNsPerSecond;
    const bool is_tai = magnitude(wall.ptp_offset_ns - tai) < magnitude(wall.ptp_offset_ns);
    return is_tai ? wall.ptp_offset_ns - tai : wall.ptp_offset_ns;
}

// What one reading says of UTC, when it bounds it.
std::optional<AxisAnchor> bound_of(const ClockSnapshot& snapshot, const ClockMap& clock) {
    const WallClock& wall = snapshot.wall;
    AxisAnchor anchor{snapshot.tick, snapshot.realtime_ns, reading_error_ns(snapshot, clock)};
    const std::int64_t by_kernel = wall.max_error_ns + kSecondsErrorNs;
    const bool has_ptp = wall.ptp_device != WallClock::kNoPtp && wall.ptp_clock_error_ns > 0 &&
                         magnitude(wall.ptp_offset_ns) < static_cast<std::uint64_t>(1000 * kNsPerSecond) &&
                         magnitude(wall.tai_offset_s) < 1000;
    const std::int64_t by_ptp = wall.ptp_error_ns + wall.ptp_clock_error_ns;
    if (has_ptp && (!wall.is_bounded() || by_ptp < by_kernel)) {
        if (__builtin_add_overflow(anchor.axis_ns, to_utc_by_ptp(wall), &anchor.axis_ns)) return std::nullopt;
        anchor.error_ns += by_ptp;
        return anchor;
    }
    if (!wall.is_bounded()) return std::nullopt;
    anchor.error_ns += by_kernel;
    return anchor;
}

// How much further the wall clock went from one reading to the other than the kernel's steady clock did.
struct Moved {
    long double ns = 0;
    long double explained_ns = 0;  // by slewing, and by the readings' errors
    [[nodiscard]] bool is_set() const { return std::fabs(ns) > explained_ns + kSmallestSetNs; }
};

Moved moved(const ClockSnapshot& from, const ClockSnapshot& to, const ClockMap& clock) {
    const long double raw = static_cast<long double>(to.monotonic_raw_ns) - from.monotonic_raw_ns;
    const long double wall = static_cast<long double>(to.realtime_ns) - from.realtime_ns;
    const long double readings =
        static_cast<long double>(reading_error_ns(from, clock)) + static_cast<long double>(reading_error_ns(to, clock));
    return {wall - raw, readings + std::fabs(raw) * kMaxSlew};
}

// The leap second between two readings, by TAI; 0: there is none.
long double leap_between(const ClockSnapshot& from, const ClockSnapshot& to, long double moved_ns) {
    const long double leap_ns = (static_cast<long double>(from.wall.tai_offset_s) - to.wall.tai_offset_s) * kNsPerSecond;
    return std::fabs(moved_ns - leap_ns) < static_cast<long double>(kNsPerSecond) / 2 ? leap_ns : 0;
}

std::vector<WallJump> find_jumps(const Snapshots& snapshots, const ClockMap& clock) {
    std::vector<WallJump> jumps;
    for (std::size_t i = 1; i < snapshots.size(); ++i) {
        const ClockSnapshot& from = snapshots[i - 1];
        const ClockSnapshot& to = snapshots[i];
        Moved by = moved(from, to, clock);
        if (!by.is_set()) continue;
        const long double leap = leap_between(from, to, by.ns);
        const auto add = [&](WallJump::Kind kind, long double ns) {
            jumps.push_back({{from.tick, to.tick, nearest_whole(ns), nearest_whole(by.explained_ns)}, kind});
        };
        if (leap != 0) add(WallJump::Kind::kLeap, leap);
        by.ns -= leap;
        if (by.is_set()) add(WallJump::Kind::kSet, by.ns);
    }
    for (const ClockBreak& one : clock.breaks()) {
        const std::int64_t ns = one.ps / kPicosecondsPerNanosecond;
        jumps.push_back({{one.from_tick, one.until_tick, ns, 0}, WallJump::Kind::kCounter});
    }
    std::sort(jumps.begin(), jumps.end(),
              [](const WallJump& a, const WallJump& b) { return a.jump.from_tick < b.jump.from_tick; });
    return jumps;
}

// Where nothing bounds the wall clock, the kernel's steady clock carries the nearest bound there: it knows of no jump
// of the counter, and of leap seconds TAI gives.
std::optional<AxisAnchor> carried(AxisAnchor bound, const ClockSnapshot& from, const ClockSnapshot& to,
                                  const ClockMap& clock) {
    const std::int64_t raw = static_cast<std::int64_t>(static_cast<std::uint64_t>(to.monotonic_raw_ns) -
                                                       static_cast<std::uint64_t>(from.monotonic_raw_ns));
    const std::int64_t leap = (std::int64_t{from.wall.tai_offset_s} - to.wall.tai_offset_s) * kNsPerSecond;
    const auto slew = static_cast<std::int64_t>(std::min<std::uint64_t>(magnitude(raw), kMaxPs / 8) / 2000);
    bound.tick = to.tick;
    if (__builtin_add_overflow(bound.axis_ns, raw, &bound.axis_ns) ||
        __builtin_add_overflow(bound.axis_ns, leap, &bound.axis_ns))
        return std::nullopt;
    bound.error_ns += slew + ticks_to_ns_rounded_up(std::int64_t{from.error_ticks} + to.error_ticks, clock);
    return bound;
}

// Anchors of the snapshots before the first and after the last that bound the wall clock.
void carry_outwards(const Snapshots& dated, const ClockMap& clock, std::vector<AxisAnchor>& anchors) {
    const auto bounds = [&](const ClockSnapshot& one) { return bound_of(one, clock).has_value(); };
    const auto first = static_cast<std::size_t>(std::find_if(dated.begin(), dated.end(), bounds) - dated.begin());
    const auto behind = static_cast<std::size_t>(dated.rend() - std::find_if(dated.rbegin(), dated.rend(), bounds));
    const auto carry = [&](const AxisAnchor& bound, std::size_t from, std::size_t to) {
        if (const auto anchor = carried(bound, dated[from], dated[to], clock)) anchors.push_back(*anchor);
    };
    const AxisAnchor at_first = anchors.front();
    const AxisAnchor at_last = anchors.back();
    for (std::size_t i = 0; i < first; ++i) carry(at_first, first, i);
    for (std::size_t i = behind; i < dated.size(); ++i) carry(at_last, behind - 1, i);
}

// What of a jump of the bounds contradicts what the kernel said: nothing, where a leap second or the counter explains it.
std::int64_t contradiction_of(const AxisJump& jump, const std::vector<WallJump>& jumps) {
    constexpr std::uint64_t kMaxNs = kMaxPs / 1000;
    std::uint64_t set_ns = 0;
    bool is_explained = false;
    for (const WallJump& one : jumps) {
        if (one.jump.from_tick >= jump.until_tick || one.jump.until_tick <= jump.from_tick) continue;
        if (one.kind == WallJump::Kind::kSet) {
            set_ns = std::min(kMaxNs, set_ns + std::min(kMaxNs, magnitude(one.jump.size_ns)));
        } else {
            is_explained = true;
        }
    }
    return static_cast<std::int64_t>(set_ns > 0 || is_explained ? set_ns : std::min(kMaxNs, magnitude(jump.size_ns)));
}

}  // namespace

WallAxis WallAxis::of(const Snapshots& snapshots, const ClockMap& clock) {
    WallAxis axis;
    Snapshots dated;
    for (const ClockSnapshot& snapshot : snapshots) {
        if (snapshot.realtime_ns > 0) dated.push_back(snapshot);
    }
    if (dated.empty()) return axis;
    std::stable_sort(dated.begin(), dated.end(),
                     [](const ClockSnapshot& a, const ClockSnapshot& b) { return a.tick < b.tick; });
    axis.newest_ = dated.back().wall;
    axis.jumps_ = find_jumps(dated, clock);
    std::vector<AxisAnchor> anchors;
    for (const ClockSnapshot& snapshot : dated) {
        if (const auto bound = bound_of(snapshot, clock)) anchors.push_back(*bound);
    }
    axis.is_bounded_ = !anchors.empty();
    if (axis.is_bounded_) {
        carry_outwards(dated, clock, anchors);
    } else {
        for (const ClockSnapshot& snapshot : dated)
            anchors.push_back({snapshot.tick, snapshot.realtime_ns, reading_error_ns(snapshot, clock)});
    }
    axis.map_ = AxisMap::fit(anchors, clock);
    if (!axis.is_bounded_) return axis;
    for (const AxisJump& jump : axis.map_.jumps()) {
        const std::int64_t more = contradiction_of(jump, axis.jumps_);
        axis.contradiction_ns_ = std::min(axis.contradiction_ns_ + more, kMaxPs / 1000);
    }
    if (axis.contradiction_ns_ == 0) return axis;
    for (AxisAnchor& anchor : anchors) anchor.error_ns += axis.contradiction_ns_;
    axis.map_ = AxisMap::fit(anchors, clock);
    return axis;
}

std::string WallAxis::problem() const {
    if (contradiction_ns_ > 0) {
        return "the wall clock was set by " + format_duration(contradiction_ns_ * kPicosecondsPerNanosecond) +
               " although the kernel called it good: UTC is uncertain by that much more";
    }
    return problem_of(newest_);
}

std::int64_t WallAxis::utc_ns(std::uint64_t tick) const {
    const std::int64_t ps = map_.to_ps(tick);
    const std::int64_t ns = ps / kPicosecondsPerNanosecond - (ps % kPicosecondsPerNanosecond < 0 ? 1 : 0);
    std::int64_t sum = 0;
    return __builtin_add_overflow(map_.base_ns(), ns, &sum) ? (ns < 0 ? INT64_MIN : INT64_MAX) : sum;
}

std::int64_t WallAxis::error_ns(std::uint64_t tick) const {
    return map_.error_ps(tick) / kPicosecondsPerNanosecond + 1;
}

}  // namespace sla::time
