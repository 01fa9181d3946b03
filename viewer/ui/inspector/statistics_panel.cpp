#include "viewer/ui/inspector/statistics_panel.h"

#include "viewer/analysis/statistics.h"
#include "viewer/ingest/caches.h"
#include "viewer/timeline/readable.h"
#include "viewer/workspace/document.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>

namespace sla::ui {

namespace {

constexpr std::uint64_t kLookAgain = ~std::uint64_t{0};  // for a size that no lane has
constexpr double kMinRest = 0.1;                         // seconds between computations
constexpr double kRestPerCost = 10;                      // so that they never take more than a tenth of the time

timeline::TickRange range_of(const Context& context) {
    const timeline::CursorPair& cursors = context.view.cursors;
    if (!cursors.a || !cursors.b) return context.view.port().visible();
    const auto [first, last] = std::minmax(cursors.a->tick, cursors.b->tick);
    return {first, last};
}

}  // namespace

void StatisticsPanel::refresh(const Context& context) {
    rest_ -= static_cast<double>(ImGui::GetIO().DeltaTime);
    const store::Lane* lane = context.view.focus;
    frozen_ = frozen_ && frozen_moves_ == context.view.moves() && lane == lane_;
    const timeline::TickRange range = frozen_ ? range_ : range_of(context);
    const bool same_way = lane == lane_ && counting_ == context.document.statistics_options;
    const bool same_rows = lane->size() == size_ || (frozen_ && size_ != kLookAgain);
    if (same_way && range == range_ && same_rows) return;
    if (same_way && rest_ > 0) return;
    if (lane_ != lane) wide_.clear();
    lane_ = lane;
    counting_ = context.document.statistics_options;
    range_ = range;
    size_ = lane->size();
    const auto begin = std::chrono::steady_clock::now();
    compute(context);
    const std::chrono::duration<double> cost = std::chrono::steady_clock::now() - begin;
    rest_ = std::max(kMinRest, cost.count() * kRestPerCost);
}

void StatisticsPanel::compute(const Context& context) {
    constexpr std::size_t kMaxPages = 4;
    readings_.clear();
    bars_.clear();
    is_background_ = !lane_->is_here(range_.first, range_.last, kMaxPages);
    if (is_background_) {
        const DataSource::Loader loader = context.source.make_loader(ingest::kWalkCache);
        StatisticsOptions how = counting_;
        how.plain_counts = false;  // no other numbers
        const Counted* const far = background_.ask(loader, {lane_->channel().id, range_, how});
        if (far != nullptr) return show(context, *far);
        title_ = loader ? "being counted" : "rows stay in the file (zoom in, or sla stats)";
        count_ = "~ " + timeline::grouped(lane_->most_before(range_.last + 1) - lane_->least_before(range_.first));
        lost_ = timeline::grouped(lane_->missing_between(range_.first, range_.last + 1).lost);
        size_ = kLookAgain;
        return;
    }
    const bool spans = !lane_->spans().empty();
    analysis::Selection where;
    where.from = range_.first;
    where.until = range_.last + 1;
    overhead_ = {analysis::overhead_ticks(context.session, *lane_), counting_.subtract_overhead};
    analysis::Intervals intervals =
        spans ? analysis::span_intervals(*lane_, where, overhead_) : analysis::channel_intervals(*lane_, where, overhead_);
    const std::uint64_t events = lane_->summarize(range_.first, range_.last + 1).events;
    show(context, counted(intervals, context.session, counting_, events));
}

void StatisticsPanel::show(const Context& context, const Counted& found) {
    const analysis::Statistics& numbers = found.numbers;
    title_ = lane_->spans().empty() ? "time between events" : "width of spans";
    count_ = timeline::grouped(numbers.count);
    lost_ = timeline::grouped(found.lost_events);
    if (numbers.count == 0) return;
    const auto add = [&](const char* label, std::int64_t ps, std::uint64_t ticks = 0) {
        readings_.push_back({label, timeline::readable_delta(ps), is_background_ ? 0 : ticks});
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
    if (counting_.cull) readings_.push_back({"culled", timeline::grouped(numbers.culled), 0});
    const double seconds = static_cast<double>(range_.length()) / context.session.clock().ticks_per_second();
    if (seconds > 0) readings_.push_back({"rate", timeline::readable_rate(static_cast<double>(found.events) / seconds), 0});
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
    if (lane_->spans().empty()) {
        analysis::each_channel_interval(*lane_, where, look);
    } else {
        analysis::each_span(*lane_, where, look);
    }
    const auto& found = next ? next : first;
    if (!found) return;
    last_begin_ = found->begin_tick;
    const auto offset = static_cast<std::uint64_t>(context.offset_of(*lane_));
    context.view.show({found->begin_tick + offset, std::max(found->end_tick, found->begin_tick + 1) + offset}, 0.3);
    const std::uint64_t index = lane_->lower_bound(found->begin_tick);
    if (index < lane_->size()) context.view.selection = Selection{lane_, index, found->begin_tick};
    frozen_ = true;  // the numbers stay those that were clicked until the view is moved by hand
    frozen_moves_ = context.view.moves();
}

}  // namespace sla::ui
