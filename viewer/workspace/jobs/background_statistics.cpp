#include "viewer/workspace/jobs/background_statistics.h"

#include <algorithm>
#include <cstddef>

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

std::optional<Counted::Cycle> cycle_of(std::vector<analysis::Intervals>& levels, const Counted& high,
                                       const analysis::StampTimes& times) {
    const auto mean_of = [&](analysis::LevelTime which) {
        return analysis::statistics_of(levels[static_cast<std::size_t>(which)], times);
    };
    const analysis::Statistics low = mean_of(analysis::LevelTime::kLow);
    const analysis::Statistics period = mean_of(analysis::LevelTime::kPeriod);
    if (high.numbers.count == 0 || low.count == 0 || period.count == 0) return std::nullopt;
    const auto is_high = static_cast<double>(high.numbers.mean_ps);
    return Counted::Cycle{low.mean_ps, period.mean_ps, is_high / std::max(is_high + static_cast<double>(low.mean_ps), 1.0)};
}

}  // namespace

CountedThing counted_thing(const store::Lane& lane) {
    if (!lane.spans().empty()) return CountedThing::kSpans;
    return lane.has_levels() ? CountedThing::kHigh : CountedThing::kEvents;
}

const char* name_of(CountedThing thing) {
    switch (thing) {
        case CountedThing::kSpans: return "width of spans";
        case CountedThing::kHigh: return "time for which it is high";
        case CountedThing::kEvents: break;
    }
    return "time between events";
}

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
    const analysis::StampTimes times = analysis::stamp_times(session);
    const CountedThing thing = counted_thing(*lane);
    if (thing == CountedThing::kHigh && !lanes[0].of_levels.empty()) {
        std::vector<analysis::Intervals>& levels = lanes[0].of_levels;
        Counted out = counted(levels[static_cast<std::size_t>(analysis::LevelTime::kHigh)], times,
                              question.statistics_options, events);
        out.lost_events = lanes[0].of_channel.lost_events;
        out.cycle = cycle_of(levels, out, times);
        return out;
    }
    return counted(thing == CountedThing::kSpans ? lanes[0].of_spans : lanes[0].of_channel, times,
                   question.statistics_options, events);
}

}  // namespace sla::workspace
