#include "viewer/ui/statistics.h"

#include "viewer/analysis/statistics.h"
#include "viewer/timeline/readable.h"
#include "viewer/ui/inspector.h"
#include "viewer/ui/paint.h"
#include "viewer/ui/widgets.h"

#include <algorithm>
#include <chrono>

namespace sla::ui {

namespace {

constexpr std::size_t kBars = 32;
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
    const timeline::TickRange range = range_of(context);
    const store::Lane* lane = context.view.focus;
    if (lane == lane_ && range == range_ && lane->size() == size_) return;
    if (lane == lane_ && rest_ > 0) return;
    lane_ = lane;
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
    if (!lane_->is_here(range_.first, range_.last, kMostPages)) {
        title_ = "rows stay in the file (zoom in, or sla stats)";
        count_ = "~ " + timeline::grouped(lane_->most_before(range_.last + 1) - lane_->least_before(range_.first));
        lost_ = timeline::grouped(lane_->lost_between(range_.first, range_.last + 1));
        size_ = ~std::uint64_t{0};  // look again
        return;
    }
    const bool spans = !lane_->spans().empty();
    analysis::Selection where;
    where.from = range_.first;
    where.until = range_.last + 1;
    analysis::Intervals intervals =
        spans ? analysis::span_intervals(*lane_, where) : analysis::channel_intervals(*lane_, where);
    const analysis::Statistics numbers = analysis::statistics_of(intervals, context.session);
    title_ = spans ? "width of spans" : "time between events";
    count_ = timeline::grouped(numbers.count);
    lost_ = timeline::grouped(intervals.lost_events);
    if (numbers.count == 0) return;
    const auto add = [&](const char* label, std::int64_t ps) { readings_.push_back({label, timeline::readable_delta(ps)}); };
    add("min", numbers.min_ps);
    add("mode", numbers.mode_ps);
    add("mean", numbers.mean_ps);
    add("p50", numbers.p50_ps);
    add("p99", numbers.p99_ps);
    add("max", numbers.max_ps);
    least_ = timeline::readable_delta(numbers.min_ps);
    most_ = timeline::readable_delta(numbers.max_ps);
    const auto bins = analysis::log_histogram(intervals.widths, kBars);
    std::uint64_t fullest = 1;
    for (const analysis::HistogramBin& bin : bins) fullest = std::max(fullest, bin.count);
    for (const analysis::HistogramBin& bin : bins) {
        bars_.push_back(std::log1p(static_cast<double>(bin.count)) / std::log1p(static_cast<double>(fullest)));
    }
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
    y += draw_numbers(context, {place.x, y, place.width, 0});
    if (!bars_.empty()) {
        y += context.px(4);
        draw_histogram(context, next(context.px(60)));
    }
    return y + context.px(8) - place.y;
}

float Statistics::draw_numbers(Context& context, const Rect& place) const {
    const float line = context.px(20);
    const timeline::TreeRow* row = context.tree.row_of(lane_);
    const ImU32 hue = row != nullptr ? context.theme.lane(row->hue) : context.theme.dim;
    context.list.AddCircleFilled({place.x + context.px(4), place.y + line / 2}, context.px(4), hue);
    draw_text(context.list, context.fonts.strong, {place.x + context.px(14), place.y, place.width - context.px(14), line},
              context.theme.text, lane_->channel().name);
    const bool between = context.view.cursors.a && context.view.cursors.b;
    draw_text(context.list, context.fonts.small, {place.x, place.y + line, place.width, context.px(18)}, context.theme.dim,
              title_ + (between ? ", between A and B" : ", in view"));
    const float top = place.y + line + context.px(18);
    const float half = std::floor((place.width - context.px(16)) / 2);
    std::size_t cells = 0;
    const auto add = [&](std::string_view label, std::string_view value, ImU32 colour) {
        const float x = place.x + (cells % 2 == 1 ? half + context.px(16) : 0);
        const Rect cell{x, top + line * static_cast<float>(cells / 2), half, line};
        draw_text(context.list, context.fonts.text, cell, context.theme.dim, label);
        draw_quantity(context.list, context.fonts.number, cell, colour, context.theme.dim, value);
        ++cells;
    };
    add("n", count_, context.theme.text);
    add("lost", lost_, lost_ != "0" ? context.theme.loss : context.theme.text);
    for (const Reading& reading : readings_) add(reading.label, reading.value, context.theme.text);
    return top + line * static_cast<float>((cells + 1) / 2) - place.y;
}

void Statistics::draw_histogram(Context& context, const Rect& place) const {
    const float label = context.px(16);
    const Rect body{place.x, place.y, place.width, place.height - label};
    const float width = body.width / static_cast<float>(bars_.size());
    for (std::size_t i = 0; i < bars_.size(); ++i) {
        const float x0 = std::floor(body.x + width * static_cast<float>(i));
        const float x1 = std::floor(body.x + width * static_cast<float>(i + 1)) - context.hair();
        const float height =
            bars_[i] > 0 ? std::max(context.px(2), std::floor(body.height * static_cast<float>(bars_[i]))) : 0;
        fill(context.list, {x0, body.bottom() - height, x1 - x0, height},
             mixed(context.theme.panel, context.theme.accent, 0.7F));
    }
    fill(context.list, {body.x, body.bottom(), body.width, context.hair()}, context.theme.line);
    const Rect axis{place.x, body.bottom() + context.px(1), place.width, label};
    draw_quantity(context.list, context.fonts.tiny, axis, context.theme.dim, context.theme.dim, least_, Align::kLeft);
    draw_quantity(context.list, context.fonts.tiny, axis, context.theme.dim, context.theme.dim, most_, Align::kRight);
    draw_text(context.list, context.fonts.small, axis, faded(context.theme.dim, 0.7F), "log", Align::kCentre);
}

}  // namespace sla::ui
