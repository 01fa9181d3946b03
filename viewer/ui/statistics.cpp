#include "viewer/ui/statistics.h"

#include "viewer/analysis/statistics.h"
#include "viewer/timeline/readable.h"
#include "viewer/ui/desk.h"
#include "viewer/ui/inspector.h"
#include "viewer/ui/paint.h"
#include "viewer/ui/widgets.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>

namespace sla::ui {

namespace {

constexpr double kLeastRest = 0.1;   // seconds between computations
constexpr double kRestPerCost = 10;  // so that they never take more than a tenth of the time

timeline::TickRange range_of(const Context& context) {
    const timeline::CursorPair& cursors = context.view.cursors;
    if (!cursors.a || !cursors.b) return context.view.port().visible();
    const auto [first, last] = std::minmax(cursors.a->tick, cursors.b->tick);
    return {first, last};
}

}  // namespace

void Statistics::refresh(const Context& context) {
    rest_ -= static_cast<double>(ImGui::GetIO().DeltaTime);
    if (frozen_ && frozen_moves_ == context.view.moves() && context.view.focus == lane_) return;
    frozen_ = false;
    const timeline::TickRange range = range_of(context);
    const store::Lane* lane = context.view.focus;
    const bool same_way = lane == lane_ && counting_ == context.desk.counting;
    if (same_way && range == range_ && lane->size() == size_) return;
    if (same_way && rest_ > 0) return;
    lane_ = lane;
    counting_ = context.desk.counting;
    range_ = range;
    size_ = lane->size();
    const auto begin = std::chrono::steady_clock::now();
    compute(context);
    const std::chrono::duration<double> cost = std::chrono::steady_clock::now() - begin;
    rest_ = std::max(kLeastRest, cost.count() * kRestPerCost);
}

void Statistics::compute(const Context& context) {
    constexpr std::size_t kMostPages = 4;
    readings_.clear();
    bars_.clear();
    is_far_ = !lane_->is_here(range_.first, range_.last, kMostPages);
    if (is_far_) {
        const Feed::Fill another = context.feed.another();
        const Counted* const far = far_.ask(another, {lane_->channel().id, range_, counting_});
        if (far != nullptr) return show(context, *far);
        title_ = another ? "being counted" : "rows stay in the file (zoom in, or sla stats)";
        count_ = "~ " + timeline::grouped(lane_->most_before(range_.last + 1) - lane_->least_before(range_.first));
        lost_ = timeline::grouped(lane_->lost_between(range_.first, range_.last + 1));
        size_ = ~std::uint64_t{0};  // look again
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

void Statistics::show(const Context& context, const Counted& found) {
    const analysis::Statistics& numbers = found.numbers;
    title_ = lane_->spans().empty() ? "time between events" : "width of spans";
    count_ = timeline::grouped(numbers.count);
    lost_ = timeline::grouped(found.lost_events);
    if (numbers.count == 0) return;
    const auto add = [&](const char* label, std::int64_t ps, std::uint64_t ticks = 0) {
        readings_.push_back({label, timeline::readable_delta(ps), is_far_ ? 0 : ticks});
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
        const double share = std::log1p(static_cast<double>(bin.count)) / std::log1p(static_cast<double>(fullest));
        bars_.push_back({share, bin.from_ticks, bin.until_ticks, bin.count});
    }
}

void Statistics::go_to_width(Context& context, std::uint64_t least, std::uint64_t most) {
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

float Statistics::draw(Context& context, const Rect& place) {
    heading(context, {place.x, place.y + context.px(8), place.width, context.px(20)}, "STATISTICS");
    float y = place.y + context.px(32);
    const auto next = [&](float height) {
        const Rect at{place.x, y, place.width, height};
        y += height;
        return at;
    };
    if (context.view.focus == nullptr) {
        draw_text(context.list, context.fonts.small, next(context.px(18)), context.theme.dim,
                  "Click a lane: its numbers appear here.");
        return y + context.px(8) - place.y;
    }
    refresh(context);
    draw_counting(context, next(context.px(24)));
    y += draw_numbers(context, {place.x, y, place.width, 0});
    if (!bars_.empty()) {
        y += context.px(4);
        draw_histogram(context, next(context.px(60)));
    }
    return y + context.px(8) - place.y;
}

void Statistics::draw_counting(Context& context, const Rect& line) const {
    const ButtonLook less{Icon::kNone, "less overhead", "Subtract the width of an empty section",
                          counting_.subtract_overhead};
    const ButtonLook culled{Icon::kNone, "no outliers", "Leave out what is wider than p75 + 3 (p75 - p25)", counting_.cull};
    const float height = line.height - context.px(4);
    const Rect first{line.x, line.y, button_width(context, less), height};
    const Rect second{first.right() + context.px(4), line.y, button_width(context, culled), height};
    if (button(context, "less overhead", first, less)) run_action(context, "subtract-overhead");
    if (button(context, "no outliers", second, culled)) run_action(context, "cull-outliers");
}

float Statistics::draw_numbers(Context& context, const Rect& place) {
    const float line = context.px(20);
    const ImU32 hue = context.theme.lane(context.tree.hue_of(*lane_));
    context.list.AddCircleFilled({place.x + context.px(4), place.y + line / 2}, context.px(4), hue);
    draw_text(context.list, context.fonts.strong, {place.x + context.px(14), place.y, place.width - context.px(14), line},
              context.theme.text, context.tree.title_of(*lane_));
    const bool between = context.view.cursors.a && context.view.cursors.b;
    draw_text(context.list, context.fonts.small, {place.x, place.y + line, place.width, context.px(18)}, context.theme.dim,
              title_ + (frozen_   ? ", as it was clicked"
                        : between ? ", between A and B"
                                  : ", in view"));
    const float top = place.y + line + context.px(18);
    const float half = std::floor((place.width - context.px(16)) / 2);
    std::size_t cells = 0;
    const auto add = [&](std::string_view label, std::string_view value, ImU32 colour, std::uint64_t ticks = 0) {
        const float x = place.x + (cells % 2 == 1 ? half + context.px(16) : 0);
        const Rect cell{x, top + line * static_cast<float>(cells / 2), half, line};
        ++cells;
        if (ticks > 0) {
            ImGui::PushID(static_cast<int>(cells));
            const bool hovered = mouse_area("reading", cell);
            if (ImGui::IsItemClicked()) go_to_width(context, ticks, ticks);
            ImGui::PopID();
            if (hovered) fill(context.list, cell, context.theme.raised, context.px(3));
            if (hovered) tooltip(context, "Click: go there");
        }
        draw_text(context.list, context.fonts.text, cell, context.theme.dim, label);
        draw_quantity(context.list, context.fonts.number, cell, colour, context.theme.dim, value);
    };
    add("n", count_, context.theme.text);
    add("lost", lost_, lost_ != "0" ? context.theme.loss : context.theme.text);
    const std::vector<Reading> readings = readings_;  // going there makes them anew
    for (const Reading& reading : readings) add(reading.label, reading.value, context.theme.text, reading.ticks);
    return top + line * static_cast<float>((cells + 1) / 2) - place.y;
}

void Statistics::draw_histogram(Context& context, const Rect& place) {
    const float label = context.px(16);
    const Rect body{place.x, place.y, place.width, place.height - label};
    const float width = body.width / static_cast<float>(bars_.size());
    std::optional<std::size_t> clicked;
    for (std::size_t i = 0; i < bars_.size(); ++i) {
        const float x0 = std::floor(body.x + width * static_cast<float>(i));
        const float x1 = std::floor(body.x + width * static_cast<float>(i + 1)) - context.hair();
        const Bar& bar = bars_[i];
        const float height =
            bar.count > 0 ? std::max(context.px(2), std::floor(body.height * static_cast<float>(bar.height))) : 0;
        ImGui::PushID(static_cast<int>(i));
        const bool hovered = mouse_area("bar", {x0, body.y, x1 - x0 + context.hair(), body.height});
        if (ImGui::IsItemClicked()) clicked = i;
        ImGui::PopID();
        fill(context.list, {x0, body.bottom() - height, x1 - x0, height},
             hovered ? context.theme.accent : mixed(context.theme.panel, context.theme.accent, 0.7F));
        if (hovered && bar.count > 0) {
            const time::ClockMap& clock = context.session.clock();
            tooltip(context,
                    fmt::format("{} from {} to {}; {}", timeline::grouped(bar.count),
                                timeline::readable_delta(clock.ticks_to_ps(static_cast<std::int64_t>(bar.from_ticks))),
                                timeline::readable_delta(clock.ticks_to_ps(static_cast<std::int64_t>(bar.until_ticks))),
                                is_far_ ? "zoom in to go to them" : "click: go to the next of them"));
        }
    }
    if (clicked && bars_[*clicked].count > 0 && !is_far_) {
        go_to_width(context, bars_[*clicked].from_ticks, std::max(bars_[*clicked].until_ticks, std::uint64_t{1}) - 1);
    }
    fill(context.list, {body.x, body.bottom(), body.width, context.hair()}, context.theme.line);
    const Rect axis{place.x, body.bottom() + context.px(1), place.width, label};
    draw_quantity(context.list, context.fonts.tiny, axis, context.theme.dim, context.theme.dim, least_, Align::kLeft);
    draw_quantity(context.list, context.fonts.tiny, axis, context.theme.dim, context.theme.dim, most_, Align::kRight);
    draw_text(context.list, context.fonts.small, axis, faded(context.theme.dim, 0.7F), "log", Align::kCentre);
}

}  // namespace sla::ui
