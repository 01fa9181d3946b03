#include "viewer/analysis/statistics.h"

#include "viewer/analysis/interval_walks.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <tuple>

namespace sla::analysis {

namespace {

std::uint64_t nearest_rank(const WidthCounts& widths, std::uint64_t per_mille) {
    return widths.at_rank(std::max<std::uint64_t>((widths.size() * per_mille + 999) / 1000, 1));
}

std::uint64_t bin_of(std::uint64_t width) {
    constexpr int kBits = 6;  // 64 bins an octave
    const int octave = std::bit_width(width);
    if (octave <= kBits + 1) return width;
    const int shift = octave - kBits - 1;
    return (static_cast<std::uint64_t>(shift) << 32) + (width >> shift);
}

long double mean_of(const WidthCounts& widths) {
    long double sum = 0;
    widths.each([&](std::uint64_t width, std::uint64_t count) {
        sum += static_cast<long double>(width) * static_cast<long double>(count);
    });
    return sum / static_cast<long double>(widths.size());
}

// The mean of the fullest bin, the lowest of several.
long double mode_of(const WidthCounts& widths) {
    struct Bin {
        std::uint64_t number = store::kNever;
        std::uint64_t count = 0;
        long double sum = 0;
    };
    Bin best;
    Bin open;
    widths.each([&](std::uint64_t width, std::uint64_t count) {
        if (bin_of(width) != open.number) open = {bin_of(width), 0, 0};
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
    const std::uint64_t low = nearest_rank(widths, 250);
    const std::uint64_t high = nearest_rank(widths, 750);
    const std::uint64_t distance = std::max({high - low, high / 64, std::uint64_t{2}});
    const std::uint64_t fence = high > store::kNever - 3 * distance ? store::kNever : high + 3 * distance;
    return widths.drop_above(fence);
}

Overhead overhead_of(const store::Session& session, const store::Lane& lane, const StatisticsOptions& options) {
    return {overhead_ticks(session, lane), options.subtract_overhead};
}

}  // namespace

Statistics statistics_of(Intervals& intervals, const store::Session& session, bool cull) {
    Statistics out;
    WidthCounts& widths = intervals.widths;
    if (cull) out.culled = cull_outliers(widths);
    out.count = widths.size();
    out.lost = intervals.lost_intervals;
    out.unfinished = intervals.unfinished;
    const time::ClockMap& clock = session.clock();
    const std::uint64_t overhead = intervals.overhead.ticks != 0 ? intervals.overhead.ticks : session.stamp_ticks();
    out.overhead_ps = clock.ticks_to_ps(static_cast<std::int64_t>(overhead));
    if (intervals.overhead.subtract) out.subtracted_ps = out.overhead_ps;
    if (widths.empty()) return out;
    const auto ps = [&](std::uint64_t ticks) { return clock.ticks_to_ps(static_cast<std::int64_t>(ticks)); };
    const long double ps_per_tick = 1e12L / static_cast<long double>(clock.ticks_per_second());
    const auto ps_of = [&](long double ticks) { return static_cast<std::int64_t>(std::llround(ticks * ps_per_tick)); };
    out.min_ps = ps(widths.front());
    out.max_ps = ps(widths.back());
    out.p50_ps = ps(nearest_rank(widths, 500));
    out.p90_ps = ps(nearest_rank(widths, 900));
    out.p99_ps = ps(nearest_rank(widths, 990));
    out.p999_ps = ps(nearest_rank(widths, 999));
    out.mode_ps = ps_of(mode_of(widths));
    const long double mean = mean_of(widths);
    out.mean_ps = ps_of(mean);
    out.stddev_ps = ps_of(std::sqrt(squares_about(widths, mean) / static_cast<long double>(widths.size())));
    return out;
}

namespace {

// One lane while its intervals are collected.
struct LaneWalks {
    LaneWalks(const store::Lane& of, const Selection& range, const Overhead& overhead)
        : lane(&of), channel(of, range), spans(of, range) {
        of_channel.overhead = of_spans.overhead = overhead;
        of_channel.lost_events = lost_in(of, range);
    }
    void go_on(std::uint64_t row, std::uint64_t span) {
        channel.go_on(row, Collect{of_channel});
        spans.go_on(span, Collect{of_spans});
    }

    const store::Lane* lane;
    ChannelWalk channel;
    SpanWalk spans;
    Intervals of_channel;
    Intervals of_spans;
};

// Where a lane's walks rest: behind its page in this chunk of the file.
struct Rest {
    std::uint32_t chunk = 0;
    std::size_t lane = 0;
    std::uint64_t row = store::kNever;
    std::uint64_t span = store::kNever;
};

// Chunk by chunk, all lanes of a chunk one after the other; what is in memory comes last.
std::vector<Rest> rests_of(const Selection& selection) {
    constexpr std::uint32_t kLast = ~std::uint32_t{0};
    std::vector<Rest> rests;
    for (std::size_t i = 0; i < selection.lanes.size(); ++i) {
        const store::Lane& lane = *selection.lanes[i];
        rests.push_back({kLast, i});
        if (lane.pages() == nullptr) continue;
        for (const store::Page& page : lane.pages()->pages()) {
            const bool touches = page.last_tick >= selection.from && page.first_tick < selection.until;
            if (touches) rests.push_back({page.chunk, i, page.end(), page.first_span + page.begins});
        }
    }
    std::sort(rests.begin(), rests.end(),
              [](const Rest& a, const Rest& b) { return std::tuple(a.chunk, a.lane) < std::tuple(b.chunk, b.lane); });
    return rests;
}

}  // namespace

std::vector<StatisticsRow> channel_statistics(const store::Session& session, const Selection& selection,
                                              const StatisticsOptions& options) {
    std::vector<LaneWalks> walks;
    walks.reserve(selection.lanes.size());
    for (const store::Lane* lane : selection.lanes) {
        walks.emplace_back(*lane, selection, overhead_of(session, *lane, options));
    }
    const std::vector<Rest> rests = rests_of(selection);
    for (std::size_t i = 0; i < rests.size(); ++i) {
        const double share = static_cast<double>(i) / static_cast<double>(rests.size());
        if (options.progress && !options.progress(share)) break;
        walks[rests[i].lane].go_on(rests[i].row, rests[i].span);
    }
    std::vector<StatisticsRow> rows;
    for (LaneWalks& walk : walks) {
        const std::string& name = walk.lane->channel().name;
        Statistics numbers = statistics_of(walk.of_channel, session, options.cull);
        numbers.lost = walk.of_channel.lost_events;
        rows.push_back({name, "", numbers});
        if (!walk.lane->spans().empty()) {
            rows.push_back({name, "begin:end", statistics_of(walk.of_spans, session, options.cull)});
        }
    }
    return rows;
}

Result<std::vector<StatisticsRow>> pair_statistics(const store::Session& session, const std::string& pair,
                                                   const Selection& range, const StatisticsOptions& options) {
    std::vector<StatisticsRow> rows;
    if (pair.find(':') == std::string::npos) {
        return invalid_input("'" + pair + "' is not a pair; write A:B with the names of two channels");
    }
    // A name may hold a colon itself: the first one that parts two known names counts.
    for (std::size_t colon = pair.find(':'); colon != std::string::npos; colon = pair.find(':', colon + 1)) {
        const auto left = matching_lanes(session, std::string_view(pair).substr(0, colon));
        const auto right = matching_lanes(session, std::string_view(pair).substr(colon + 1));
        for (const store::Lane* a : left) {
            for (const store::Lane* b : right) {
                Intervals intervals = pair_intervals(*a, *b, range, overhead_of(session, *a, options));
                const std::string& name = a->channel().name;
                rows.push_back({name, name + ":" + b->channel().name, statistics_of(intervals, session, options.cull)});
            }
        }
        if (!rows.empty()) return rows;
    }
    return not_found("no two channels are called '" + pair + "'; `sla channels` lists the names");
}

std::vector<HistogramBin> log_histogram(const WidthCounts& widths, std::size_t bins) {
    std::vector<HistogramBin> out;
    if (widths.empty() || bins == 0) return out;
    const std::uint64_t last = widths.back();
    const double low = static_cast<double>(std::max<std::uint64_t>(widths.front(), 1));
    const double high = static_cast<double>(last) + 1;
    const double ratio = std::pow(std::max(high / low, 1.0), 1.0 / static_cast<double>(bins));
    std::uint64_t from = widths.front();
    for (std::size_t i = 1; i <= bins && from <= last; ++i) {
        const double edge = low * std::pow(ratio, static_cast<double>(i));
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

}  // namespace sla::analysis
