#include "proto/time/clock_fit.h"

#include "proto/time/picoseconds.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

namespace sla::time {
namespace {

using Wide = unsigned __int128;
using SignedWide = __int128;
using SnapshotRun = std::span<const ClockSnapshot>;

constexpr std::uint64_t kMaxPsPerTick = 1'000'000'000;  // 1 kHz

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
std::optional<Slope> best_slope(SnapshotRun snapshots) {
    if (snapshots.size() < 2) return std::nullopt;
    const ClockSnapshot& newest = snapshots.back();
    const ClockSnapshot& first = *std::min_element(
        snapshots.begin(), snapshots.end(),
        [&](const ClockSnapshot& a, const ClockSnapshot& b) { return pair_error(a, newest) < pair_error(b, newest); });
    const ClockSnapshot& last = *std::min_element(
        snapshots.begin(), snapshots.end(),
        [&](const ClockSnapshot& a, const ClockSnapshot& b) { return pair_error(first, a) < pair_error(first, b); });
    return slope_between(first, last);
}

long double ps_per_tick(const Slope& slope) {
    return static_cast<long double>(slope.whole) + static_cast<long double>(slope.fraction) * 0x1p-64L;
}

// What the kernel's clock says of the interval beyond what the line says, and what of that the readings' errors explain.
struct Deviation {
    long double ps = 0;
    long double explained_ps = 0;
    [[nodiscard]] long double beyond() const { return std::max(0.0L, std::fabs(ps) - explained_ps); }
};

Deviation deviation(const ClockSnapshot& first, const ClockSnapshot& last, const Slope& slope) {
    const long double scale = ps_per_tick(slope);
    const auto ps = static_cast<long double>(static_cast<SignedWide>(last.monotonic_raw_ns) - first.monotonic_raw_ns) * 1000;
    const long double line = static_cast<long double>(last.tick - first.tick) * scale;
    const long double readings = (static_cast<long double>(first.error_ticks) + last.error_ticks) * scale + 1000;
    return {ps - line, readings + line * static_cast<long double>(slope.error_ppb) / 1e9L};
}

bool is_break(const ClockSnapshot& first, const ClockSnapshot& last, const Slope& slope) {
    const Deviation off = deviation(first, last, slope);
    const long double line = static_cast<long double>(last.tick - first.tick) * ps_per_tick(slope);
    return off.beyond() > 1e6L + line * static_cast<long double>(kBelievableDriftPpb) / 1e9L;
}

// The slope of the interval between two neighbours that is the median of all by length: no single jump can move it far.
std::optional<Slope> median_slope(SnapshotRun snapshots) {
    struct Interval {
        Slope slope;
        std::uint64_t ticks = 0;
    };
    std::vector<Interval> intervals;
    long double all = 0;
    for (std::size_t i = 1; i < snapshots.size(); ++i) {
        const auto slope = slope_between(snapshots[i - 1], snapshots[i]);
        if (!slope) continue;
        intervals.push_back({*slope, snapshots[i].tick - snapshots[i - 1].tick});
        all += static_cast<long double>(intervals.back().ticks);
    }
    std::sort(intervals.begin(), intervals.end(), [](const Interval& a, const Interval& b) {
        return std::pair(a.slope.whole, a.slope.fraction) < std::pair(b.slope.whole, b.slope.fraction);
    });
    long double below = 0;
    for (const Interval& interval : intervals) {
        below += static_cast<long double>(interval.ticks);
        if (below >= all / 2) return interval.slope;
    }
    return std::nullopt;
}

// The longest run of snapshots with no jump inside.
SnapshotRun longest_run(SnapshotRun snapshots, const Slope& slope) {
    SnapshotRun longest;
    std::size_t begin = 0;
    for (std::size_t i = 1; i <= snapshots.size(); ++i) {
        if (i < snapshots.size() && !is_break(snapshots[i - 1], snapshots[i], slope)) continue;
        const SnapshotRun run = snapshots.subspan(begin, i - begin);
        if (longest.empty() || run.back().tick - run.front().tick > longest.back().tick - longest.front().tick)
            longest = run;
        begin = i;
    }
    return longest;
}

// Residual and breaks of the snapshots against the line.
void judge(SnapshotRun snapshots, ClockFit& fit) {
    std::size_t anchor = 0;  // of the interval without jump
    for (std::size_t i = 1; i < snapshots.size(); ++i) {
        if (is_break(snapshots[i - 1], snapshots[i], fit.slope)) {
            const long double ps = std::fabs(deviation(snapshots[i - 1], snapshots[i], fit.slope).ps);
            fit.breaks.push_back({snapshots[i - 1].tick, snapshots[i].tick, saturated(ps)});
            anchor = i;
            continue;
        }
        const long double off = deviation(snapshots[anchor], snapshots[i], fit.slope).beyond();
        fit.residual_ps = std::max(fit.residual_ps, saturated(off));
    }
}

}  // namespace

std::optional<ClockFit> fit_clock(std::vector<ClockSnapshot> snapshots) {
    std::sort(snapshots.begin(), snapshots.end(),
              [](const ClockSnapshot& a, const ClockSnapshot& b) { return a.tick < b.tick; });
    ClockFit fit;
    std::optional<Slope> slope = best_slope(snapshots);
    if (!slope) return std::nullopt;
    fit.slope = *slope;
    judge(snapshots, fit);
    if (fit.breaks.empty()) return fit;
    // A jump lies between the snapshots and bends the line: fit again without it.
    const auto median = median_slope(snapshots);
    const auto run = median ? best_slope(longest_run(snapshots, *median)) : std::nullopt;
    fit = {};
    fit.slope = run.value_or(median.value_or(*slope));
    judge(snapshots, fit);
    return fit;
}

}  // namespace sla::time
