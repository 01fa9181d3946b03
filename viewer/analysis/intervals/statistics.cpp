#include "viewer/analysis/intervals/statistics.h"

#include <algorithm>
#include <cmath>

namespace sla::analysis {

namespace {

template <typename Widths>
std::uint64_t nearest_rank(const Widths& widths, std::uint64_t per_mille) {
    return widths.at_rank(rank_of_widths(widths.size(), per_mille));
}

// The mean of the fullest bin, the lowest of several.
long double mode_of(const WidthCounts& widths) {
    struct Bin {
        std::uint16_t number = kWidthBins;
        std::uint64_t count = 0;
        long double sum = 0;
    };
    Bin best;
    Bin open;
    widths.each([&](std::uint64_t width, std::uint64_t count) {
        if (width_bin(width) != open.number) open = {width_bin(width), 0, 0};
        open.count += count;
        open.sum += static_cast<long double>(width) * static_cast<long double>(count);
        if (open.count > best.count) best = open;
    });
    return best.sum / static_cast<long double>(best.count);
}

long double squares_about(const WidthCounts& widths, long double mean) {
    long double squares = 0;
    widths.each([&](std::uint64_t width, std::uint64_t count) {
        const long double off = static_cast<long double>(width) - mean;
        squares += off * off * static_cast<long double>(count);
    });
    return squares;
}

// The rule is in the header.
std::uint64_t cull_outliers(WidthCounts& widths) {
    if (widths.empty()) return 0;
    return widths.drop_above(fence_above(nearest_rank(widths, 250), nearest_rank(widths, 750)));
}

struct Shape {
    long double mode = 0;
    long double mean = 0;
    long double variance = 0;
};

Shape shape_of(const WidthCounts& widths) {
    const long double mean = widths.mean();
    return {mode_of(widths), mean, squares_about(widths, mean) / static_cast<long double>(widths.size())};
}

template <typename Summed>
Shape shape_of(const Summed& widths) {
    return {static_cast<long double>(widths.mode()), widths.mean(), widths.variance()};
}

template <typename Widths>
void fill_times(const Widths& widths, const time::ClockMap& clock, Statistics& out) {
    const auto ps = [&](std::uint64_t ticks) { return clock.ticks_to_ps(static_cast<std::int64_t>(ticks)); };
    const long double ps_per_tick = 1e12L / static_cast<long double>(clock.ticks_per_second());
    const auto ps_of = [&](long double ticks) { return static_cast<std::int64_t>(std::llround(ticks * ps_per_tick)); };
    out.min_ps = ps(widths.front());
    out.max_ps = ps(widths.back());
    out.p50_ps = ps(nearest_rank(widths, 500));
    out.p90_ps = ps(nearest_rank(widths, 900));
    out.p99_ps = ps(nearest_rank(widths, 990));
    out.p999_ps = ps(nearest_rank(widths, 999));
    const Shape shape = shape_of(widths);
    out.mode_ps = ps_of(shape.mode);
    out.mean_ps = ps_of(shape.mean);
    out.stddev_ps = ps_of(std::sqrt(shape.variance));
}

// All but what is known by the widths.
template <typename Counted>
Statistics counts_of(const Counted& intervals, const StampTimes& times) {
    Statistics out;
    out.lost = intervals.lost_intervals;
    out.unfinished = intervals.unfinished;
    const std::uint64_t overhead = intervals.overhead.ticks.value_or(times.stamp_ticks);
    out.overhead_ps = times.clock.ticks_to_ps(static_cast<std::int64_t>(overhead));
    if (intervals.overhead.subtract) out.subtracted_ps = out.overhead_ps;
    return out;
}

}  // namespace

Statistics statistics_of(Intervals& intervals, const StampTimes& times, bool cull) {
    WidthCounts& widths = intervals.widths;
    Statistics out = counts_of(intervals, times);
    if (cull) out.culled = cull_outliers(widths);
    out.count = intervals.count();
    const time::ClockMap& clock = times.clock;
    if (out.count == 0) return out;
    if (!intervals.binned.empty()) {
        fill_times(intervals.binned, clock, out);
        out.quantile_error_ppm = std::lround(BinnedWidths::kMaxError * 1e6);
    } else {
        fill_times(widths, clock, out);
    }
    return out;
}

Statistics statistics_of(const ExactIntervals& intervals, const StampTimes& times) {
    Statistics out = counts_of(intervals, times);
    out.culled = intervals.widths.culled();
    out.count = intervals.widths.size();
    if (out.count > 0) fill_times(intervals.widths, times.clock, out);
    return out;
}

namespace {

// From `low` to `high` in so many steps of equal size, or of equal ratio.
double edge_of(double low, double high, double share, Bins kind) {
    return kind == Bins::kEven ? low + (high - low) * share : low * std::pow(std::max(high / low, 1.0), share);
}

template <typename Widths>
std::vector<HistogramBin> histogram_of(const Widths& widths, std::size_t bins, Bins kind) {
    std::vector<HistogramBin> out;
    if (widths.empty() || bins == 0) return out;
    const std::uint64_t last = widths.back();
    const double low = static_cast<double>(std::max<std::uint64_t>(widths.front(), 1));
    const double high = static_cast<double>(last) + 1;
    std::uint64_t from = widths.front();
    for (std::size_t i = 1; i <= bins && from <= last; ++i) {
        const double edge = edge_of(low, high, static_cast<double>(i) / static_cast<double>(bins), kind);
        const std::uint64_t until = i == bins ? last + 1 : std::max(from + 1, static_cast<std::uint64_t>(edge));
        out.push_back({from, until, 0});
        from = until;
    }
    auto bin = out.begin();
    widths.each([&](std::uint64_t width, std::uint64_t count) {
        while (width >= bin->until_ticks && bin + 1 != out.end()) ++bin;
        bin->count += count;
    });
    return out;
}

}  // namespace

std::vector<HistogramBin> histogram(const Intervals& intervals, std::size_t bins, Bins kind) {
    return intervals.binned.empty() ? histogram_of(intervals.widths, bins, kind)
                                    : histogram_of(intervals.binned, bins, kind);
}

}  // namespace sla::analysis
