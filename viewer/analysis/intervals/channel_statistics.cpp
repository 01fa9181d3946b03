#include "viewer/analysis/chunk_walk.h"
#include "viewer/analysis/intervals/channel_passes.h"
#include "viewer/analysis/intervals/interval_walks.h"
#include "viewer/analysis/intervals/level_walk.h"
#include "viewer/analysis/intervals/statistics.h"

#include <optional>
#include <utility>
#include <vector>

namespace sla::analysis {

namespace {

// One lane while its intervals are collected.
struct LaneWalks {
    LaneWalks(const store::Lane& of, const Selection& range, const Selection& counted, const Overhead& overhead)
        : lane(&of), channel(of, counted), spans(of, range) {
        of_channel.overhead = of_spans.overhead = overhead;
        of_channel.lost_events = of_spans.lost_events = lost_in(of, range);
        if (!of.has_levels()) return;
        levels.emplace(of, counted);
        of_levels.resize(kLevelTimes);
        for (Intervals& intervals : of_levels) intervals.overhead = overhead;
    }
    void go_on(std::uint64_t row, std::uint64_t span) {
        channel.go_on(row, Collect{of_channel});
        spans.go_on(span, Collect{of_spans});
        if (!levels) return;
        levels->go_on(channel.at(), CollectLevels{of_levels});
    }
    void pass(const store::Page& page, const IntervalSums& sums) {
        if (levels) return;  // sums know of none
        if (!channel.can_pass(page, sums) || !spans.can_pass(page, sums)) return;
        channel.pass(page, sums, Collect{of_channel});
        of_channel.binned.add(sums.widths);
        of_channel.lost_intervals += sums.lossy;
        spans.pass(page, Collect{of_spans});
        of_spans.binned.add(sums.spans);
        of_spans.lost_intervals += sums.cut;
    }

    const store::Lane* lane;
    ChannelWalk channel;
    SpanWalk spans;
    Intervals of_channel;
    Intervals of_spans;
    std::optional<LevelWalk> levels;
    std::vector<Intervals> of_levels;  // by LevelTime
};

// Where only bins are known of some, more is not known of all.
Intervals settled(Intervals intervals) {
    if (!intervals.binned.empty()) intervals.binned.add(std::exchange(intervals.widths, {}));
    return intervals;
}

// So many widths that channels keep them no more where they are walked over in passes, and so few that lists of all take some
// 300 MB: 15 instead of 25 ns each.
bool are_better_listed(const Selection& selection) {
    constexpr std::uint64_t kMostListed = std::uint64_t{24} << 20;
    std::uint64_t widths = 0;  // at most
    for (const store::Lane* lane : selection.lanes) widths += lane->size() + lane->spans().size();
    return widths <= kMostListed && widths > WidthRoom().kept / 2;
}

}  // namespace

std::vector<LaneIntervals> lane_intervals(const store::Session& session, const Selection& selection,
                                          const StatisticsOptions& options) {
    const ChunkPlan plan(session, selection, options.from_sums && !options.subtract_overhead && !options.cull);
    std::vector<LaneWalks> walks;
    walks.reserve(selection.lanes.size());
    const Selection counted = from_begin(session, selection);
    for (const store::Lane* lane : selection.lanes) {
        walks.emplace_back(*lane, selection, counted, Overhead{overhead_ticks(session, *lane), options.subtract_overhead});
        if (options.follows_threads) walks.back().channel.follow_threads();
    }
    walk_chunks(plan, walks, options.progress);
    std::vector<LaneIntervals> lanes;
    for (LaneWalks& walk : walks) {
        walk.of_channel.lost_events += walk.channel.unreadable();
        walk.of_spans.lost_events += walk.channel.unreadable();
        lanes.push_back(
            {walk.lane, settled(std::move(walk.of_channel)), settled(std::move(walk.of_spans)), std::move(walk.of_levels)});
    }
    return lanes;
}

std::vector<StatisticsRow> statistics_of(std::vector<LaneIntervals>& lanes, const store::Session& session, bool cull) {
    std::vector<StatisticsRow> rows;
    for (LaneIntervals& of : lanes) {
        const std::string& name = of.lane->channel().name;
        Statistics numbers = statistics_of(of.of_channel, session, cull);
        numbers.lost = of.of_channel.lost_events;
        rows.push_back({name, "", numbers, of.lane});
        if (!of.lane->spans().empty())
            rows.push_back({name, kSpanWidths, statistics_of(of.of_spans, session, cull), of.lane});
        for (std::size_t i = 0; i < of.of_levels.size(); ++i)
            rows.push_back({name, level_time_name(i), statistics_of(of.of_levels[i], session, cull), of.lane});
    }
    return rows;
}

std::vector<StatisticsRow> channel_statistics(const store::Session& session, const Selection& selection,
                                              const StatisticsOptions& options) {
    const bool from_rows =
        !options.from_sums || options.cull || options.subtract_overhead || session.page_source() == nullptr;
    if (from_rows && !are_better_listed(selection)) return statistics_of_rows(session, selection, options);
    std::vector<LaneIntervals> lanes = lane_intervals(session, selection, options);
    return statistics_of(lanes, session, options.cull);
}

}  // namespace sla::analysis
