#include "viewer/workspace/jobs/background_statistics.h"

namespace sla::workspace {

Counted counted(analysis::Intervals& intervals, const analysis::StampTimes& times, const StatisticsOptions& counting,
                std::uint64_t events) {
    constexpr std::size_t kBars = 32;
    Counted out;
    out.numbers = analysis::statistics_of(intervals, times, counting.cull);
    out.bins =
        analysis::histogram(intervals, kBars, counting.even_bars ? analysis::Bins::kEven : analysis::Bins::kLogarithmic);
    out.lost_events = intervals.lost_events;
    out.events = events;
    if (intervals.count() == 0) return out;
    out.least = intervals.least();
    out.greatest = intervals.greatest();
    return out;
}

namespace {

std::optional<Counted> count(const store::Session& session, const StatisticsQuestion& wanted,
                             const JobRunner::Control& control) {
    const store::Lane* const lane = session.lane(wanted.channel);
    if (lane == nullptr) return std::nullopt;
    analysis::Selection where;
    where.lanes = {lane};
    where.from = wanted.range.first;
    where.until = wanted.range.last + 1;
    analysis::StatisticsOptions options;
    options.from_sums = true;
    options.subtract_overhead = wanted.statistics_options.subtract_overhead;
    options.cull = wanted.statistics_options.cull;
    options.progress = [&control](double) { return !control.is_cancelled(); };
    auto lanes = analysis::lane_intervals(session, where, options);
    if (control.is_cancelled()) return std::nullopt;
    const std::uint64_t events = lane->summarize(where.from, where.until).events;
    return counted(lane->spans().empty() ? lanes[0].of_channel : lanes[0].of_spans, analysis::stamp_times(session),
                   wanted.statistics_options, events);
}

}  // namespace

BackgroundStatistics::BackgroundStatistics() : BackgroundAnswer("counting widths", count) {}

}  // namespace sla::workspace
