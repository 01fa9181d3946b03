#include "viewer/workspace/jobs/statistics_walk.h"

namespace sla::workspace {

namespace {

constexpr std::uint64_t kRowsPerStep = 4096;     // some ten microseconds
constexpr std::uint64_t kWidthsAtOnce = 20'000;  // a fraction of a millisecond

analysis::Selection selection_of(timeline::TickRange range) {
    analysis::Selection where;
    where.from = range.first;
    where.until = range.last + 1;
    return where;
}

}  // namespace

StatisticsWalk::StatisticsWalk(const store::Session& session, const store::Lane& lane, timeline::TickRange range,
                               const StatisticsOptions& options)
    : session_(session), options_(options), events_(lane.summarize(range.first, range.last + 1).events) {
    analysis::Intervals& intervals = state_->intervals;
    intervals.overhead = {analysis::overhead_ticks(session, lane), options.subtract_overhead};
    intervals.lost_events = lane.missing_between(range.first, range.last + 1).lost;
    const auto count = [&intervals](const analysis::Interval& interval) { intervals.add(interval); };
    steps_ = lane.spans().empty() ? analysis::channel_steps(lane, selection_of(range), count)
                                  : analysis::span_steps(lane, selection_of(range), count);
}

const Counted* StatisticsWalk::step(std::chrono::microseconds budget) {
    const auto until = std::chrono::steady_clock::now() + budget;
    while (steps_ != nullptr) {
        if (!steps_->step(kRowsPerStep)) {
            steps_.reset();
            make_numbers();
        } else if (std::chrono::steady_clock::now() >= until) {
            return nullptr;
        }
    }
    is_made_ = is_made_ || !job_.is_running();
    return is_made_ && !job_.ran_out_of_memory() ? &state_->counted : nullptr;
}

void StatisticsWalk::make_numbers() {
    const auto make = [state = state_, times = analysis::stamp_times(session_), options = options_, events = events_] {
        state->counted = counted(state->intervals, times, options, events);
    };
    is_made_ = state_->intervals.count() <= kWidthsAtOnce;
    if (is_made_) return make();
    job_ = JobRunner::shared().start("counting widths", [make](JobRunner::Control& /*control*/) { make(); });
}

}  // namespace sla::workspace
