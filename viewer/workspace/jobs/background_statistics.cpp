#include "viewer/workspace/jobs/background_statistics.h"

namespace sla::workspace {

namespace {

// Drops the culled widths.
Counted counted(analysis::Intervals& intervals, const analysis::StampTimes& times, const StatisticsOptions& counting,
                std::uint64_t events) {
    constexpr std::size_t kBars = 32;
    Counted out;
    out.numbers = analysis::statistics_of(intervals, times, counting.cull);
    out.bins =
        analysis::histogram(intervals, kBars, counting.even_bars ? analysis::Bins::kEven : analysis::Bins::kLogarithmic);
    out.lost_events = intervals.lost_events;
    out.events = events;
    out.overhead = intervals.overhead;
    if (intervals.count() == 0) return out;
    out.least = intervals.least();
    out.greatest = intervals.greatest();
    return out;
}

}  // namespace

std::uint64_t rows_until(const store::Lane& lane, std::uint64_t last) {
    return lane.last_tick() > last ? store::kNever : lane.size();
}

std::optional<Counted> count_widths(const store::Session& session, const StatisticsQuestion& question,
                                    const JobRunner::Control& control) {
    const store::Lane* const lane = session.lane(question.channel);
    if (lane == nullptr) return std::nullopt;
    analysis::Selection where;
    where.lanes = {lane};
    where.from = question.range.first;
    where.until = question.range.last + 1;
    analysis::StatisticsOptions options;
    options.from_sums = true;
    options.subtract_overhead = question.statistics_options.subtract_overhead;
    options.cull = question.statistics_options.cull;
    options.progress = [&control](double) { return !control.is_cancelled(); };
    auto lanes = analysis::lane_intervals(session, where, options);
    if (control.is_cancelled()) return std::nullopt;
    const std::uint64_t events = lane->summarize(where.from, where.until).events;
    return counted(lane->spans().empty() ? lanes[0].of_channel : lanes[0].of_spans, analysis::stamp_times(session),
                   question.statistics_options, events);
}

}  // namespace sla::workspace
