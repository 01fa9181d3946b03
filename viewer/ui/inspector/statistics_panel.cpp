#include "viewer/ui/inspector/statistics_panel.h"

#include "viewer/analysis/lane_rate.h"
#include "viewer/timeline/readable.h"
#include "viewer/workspace/document.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace sla::ui {

namespace {

std::string lost_within(const store::Lane& lane, const timeline::TickRange& range, std::uint64_t events) {
    return timeline::lost_number(events, lane.missing_between(range.first, range.last + 1).are_losses_counted ? 0 : 1);
}

}  // namespace

// Numbers come while the newest is followed: what is known of this place stays until more is.
void StatisticsPanel::refresh(const Context& context) {
    const store::Lane* lane = context.marks.focus;
    frozen_ = frozen_ && frozen_moves_ == context.view.moves() && lane == lane_;
    const timeline::TickRange range =  // as the lane knows it
        frozen_ ? range_ : timeline::earlier(context.measured_range(), context.offset_of(*lane));
    const std::uint64_t rows = frozen_ && shown_ ? shown_->rows : rows_until(*lane, range.last);
    if (std::exchange(lane_, lane) != lane) wide_.clear();
    StatisticsOptions how = context.document.statistics_options;
    const bool plain_counts = std::exchange(how.plain_counts, false);  // no other numbers
    const auto* const found =
        background_.ask(context.session, {lane->channel().id, range, how, rows}, context.tree.derived());
    if (found == nullptr) return forget(range, "being counted");
    if (!found->answer) return forget(range, "not counted");  // there was not enough memory
    if (shown_ == found->question && counting_.plain_counts == plain_counts) return;
    shown_ = found->question;
    range_ = shown_->range;
    counting_ = context.document.statistics_options;
    show(context, *found->answer);
}

// Numbers of something else say nothing here.
void StatisticsPanel::forget(const timeline::TickRange& range, const char* why) {
    shown_.reset();
    range_ = range;
    title_ = why;
    count_ = "~ " + timeline::grouped(lane_->most_before(range.last + 1) - lane_->least_before(range.first));
    lost_ = lost_within(*lane_, range, lane_->missing_between(range.first, range.last + 1).lost);
    readings_.clear();
    bars_.clear();
}

void StatisticsPanel::show(const Context& context, const Counted& found) {
    constexpr std::size_t kMaxPages = 4;
    const analysis::Statistics& numbers = found.numbers;
    overhead_ = found.overhead;
    can_go_there_ = lane_->is_here(range_.first, range_.last, kMaxPages);
    readings_.clear();
    bars_.clear();
    title_ = name_of(counted_thing(*lane_));
    count_ = timeline::grouped(numbers.count);
    lost_ = lost_within(*lane_, range_, found.lost_events);
    if (numbers.count == 0) return;
    const auto add = [&](const char* label, std::int64_t ps, std::uint64_t ticks = 0) {
        readings_.push_back({label, timeline::readable_delta(ps), can_go_there_ ? ticks : 0});
    };
    const auto add_near = [&](const char* label, std::int64_t ps) {
        readings_.push_back({label, (numbers.quantile_error_ppm > 0 ? "~ " : "") + timeline::readable_delta(ps), 0});
    };
    add("min", numbers.min_ps, found.least);
    add("max", numbers.max_ps, found.greatest);
    add_near("mode", numbers.mode_ps);
    add("mean", numbers.mean_ps);
    add_near("p50", numbers.p50_ps);
    add_near("p90", numbers.p90_ps);
    add_near("p99", numbers.p99_ps);
    add_near("p99.9", numbers.p999_ps);
    add("stddev", numbers.stddev_ps);
    add(counting_.subtract_overhead ? "less" : "overhead",
        counting_.subtract_overhead ? numbers.subtracted_ps : numbers.overhead_ps);
    if (found.cycle) {
        add("low", found.cycle->low_ps);
        add("period", found.cycle->period_ps);
        const double hertz = 1e12 / static_cast<double>(std::max<std::int64_t>(found.cycle->period_ps, 1));
        readings_.push_back({"frequency", timeline::readable_frequency(hertz), 0});
        readings_.push_back({"duty", fmt::format("{:.1f} %", 100 * found.cycle->duty), 0});
    }
    if (counting_.cull) readings_.push_back({"culled", timeline::grouped(numbers.culled), 0});
    analysis::Selection counted;
    counted.from = range_.first;
    counted.until = range_.last + 1;
    const double hertz = context.session.clock().ticks_per_second();
    if (const auto rate = analysis::rate_of(*lane_, counted, found.events, hertz))
        readings_.push_back({"rate", timeline::readable_rate(*rate), 0});
    least_ = timeline::readable_delta(numbers.min_ps);
    most_ = timeline::readable_delta(numbers.max_ps);
    std::uint64_t fullest = 1;
    for (const analysis::HistogramBin& bin : found.bins) fullest = std::max(fullest, bin.count);
    for (const analysis::HistogramBin& bin : found.bins) {
        const auto count = static_cast<double>(bin.count);
        const auto most = static_cast<double>(fullest);
        const double height = counting_.plain_counts ? count / most : std::log1p(count) / std::log1p(most);
        bars_.push_back({height, bin.from_ticks, bin.until_ticks, bin.count});
    }
}

std::string StatisticsPanel::rate() const {
    const auto found = std::find_if(readings_.begin(), readings_.end(),
                                    [](const Reading& reading) { return std::string_view(reading.label) == "rate"; });
    return found == readings_.end() ? std::string() : found->value;
}

void StatisticsPanel::go_to_width(Context& context, std::uint64_t least, std::uint64_t most) {
    analysis::Selection where;
    where.from = range_.first;
    where.until = range_.last + 1;
    std::optional<analysis::Interval> first;
    std::optional<analysis::Interval> next;
    const auto look = [&](const analysis::Interval& interval) {
        if (interval.state != analysis::IntervalState::kWhole) return;
        const std::uint64_t width = overhead_.reduced(interval);
        if (width < least || width > most) return;
        if (!first) first = interval;
        if (!next && interval.begin_tick > last_begin_) next = interval;
    };
    const analysis::Selection counted = analysis::from_begin(context.session, where);
    switch (counted_thing(*lane_)) {
        case CountedThing::kSpans: analysis::each_span(*lane_, where, look); break;
        case CountedThing::kHigh: analysis::each_high(*lane_, counted, look); break;
        case CountedThing::kEvents: analysis::each_channel_interval(*lane_, counted, look); break;
    }
    const auto& found = next ? next : first;
    if (!found) return;
    last_begin_ = found->begin_tick;
    const auto offset = static_cast<std::uint64_t>(context.offset_of(*lane_));
    context.view.show({found->begin_tick + offset, std::max(found->end_tick, found->begin_tick + 1) + offset}, 0.3);
    const std::uint64_t index = lane_->lower_bound(found->begin_tick);
    if (index < lane_->size()) context.marks.selection = Selection{lane_, index, found->begin_tick};
    frozen_ = true;  // the numbers stay those that were clicked until the view is moved by hand
    frozen_moves_ = context.view.moves();
}

}  // namespace sla::ui
