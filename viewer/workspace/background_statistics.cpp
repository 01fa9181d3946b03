#include "viewer/workspace/background_statistics.h"

#include <chrono>
#include <utility>

namespace sla::workspace {

Counted counted(analysis::Intervals& intervals, const store::Session& session, const StatisticsOptions& counting,
                std::uint64_t events) {
    constexpr std::size_t kBars = 32;
    Counted out;
    out.numbers = analysis::statistics_of(intervals, session, counting.cull);
    out.bins =
        analysis::histogram(intervals, kBars, counting.even_bars ? analysis::Bins::kEven : analysis::Bins::kLogarithmic);
    out.lost_events = intervals.lost_events;
    out.events = events;
    if (intervals.count() == 0) return out;
    out.least = intervals.least();
    out.greatest = intervals.greatest();
    return out;
}

const Counted* BackgroundStatistics::ask(const DataSource::Loader& loader, const Wanted& wanted) {
    if (running_.valid() && running_.wait_for(std::chrono::seconds(0)) == std::future_status::ready) {
        if (auto found = running_.get()) {
            found_ = std::move(found);
            found_of_ = running_of_;
        }
    }
    if (found_ && found_of_ == wanted) return &*found_;
    if (running_.valid()) {
        if (running_of_ != wanted) stop_ = true;
        return nullptr;
    }
    if (std::exchange(asked_, wanted) != wanted || !loader) return nullptr;
    stop_ = false;
    running_of_ = wanted;
    running_ = std::async(std::launch::async, [this, loader, wanted] { return count(loader, wanted); });
    return nullptr;
}

// On the other thread. Nothing when it was stopped.
std::optional<Counted> BackgroundStatistics::count(const DataSource::Loader& loader, const Wanted& wanted) const {
    store::Session session;
    loader(session);
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
    options.progress = [this](double) { return !stop_; };
    auto lanes = analysis::lane_intervals(session, where, options);
    if (stop_) return std::nullopt;
    const std::uint64_t events = lane->summarize(where.from, where.until).events;
    return counted(lane->spans().empty() ? lanes[0].of_channel : lanes[0].of_spans, session, wanted.statistics_options,
                   events);
}

}  // namespace sla::workspace
