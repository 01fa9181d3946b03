// The looks a person may choose for a lane: a strip of its rate, blocks of its states.
#include "viewer/timeline/pictures/rate_strip.h"
#include "viewer/timeline/readable.h"
#include "viewer/timeline/value_at.h"
#include "viewer/ui/timeline/lane_painter.h"
#include "viewer/ui/timeline/lane_painter_parts.h"
#include "viewer/ui/widgets/paint.h"

#include <algorithm>
#include <functional>

namespace sla::ui {

namespace {

constexpr double kRateStep = 3;  // pixels
constexpr float kStatePadding = 5;

struct State {
    float x = 0;
    std::string text;
    bool busy = false;        // several in this pixel column
    bool is_unknown = false;  // after a loss
};

// Of a row that stays in a file and is being fetched, nothing yet.
std::string text_of(const store::Lane& lane, std::uint64_t index) {
    return lane.is_row_here(index) ? lane.text(index) : std::string("\xE2\x80\xA6");
}

std::string value_of(const store::Lane& lane, std::uint64_t index) {
    return lane.is_row_here(index) ? timeline::value_text(lane[index]) : std::string("\xE2\x80\xA6");
}

State state_at(const store::Lane& lane, std::uint64_t index, float x, bool is_busy) {
    const bool is_here = lane.is_row_here(index);
    const bool is_unknown = is_here && lane[index].kind() == wire::Kind::kGap;
    return {x, is_unknown ? std::string() : text_of(lane, index), is_busy, is_unknown};
}

// Every event is a text, or a loss. Of several in one column the last one holds from there on; what held before the first
// one in sight is there too.
std::vector<State> states_of_texts(const timeline::Viewport& port, const LanePaint& paint) {
    std::vector<State> states;
    const store::Lane& lane = paint.lane;
    const auto& marks = paint.picture.ticks;
    const std::uint64_t begin = port.first_tick_from(0.0);
    const std::uint64_t end = port.first_tick_from(port.width());
    const std::uint64_t before = lane.is_here(begin, begin) ? lane.lower_bound(begin) : 0;
    if (before > 0) states.push_back(state_at(lane, before - 1, -1, false));
    for (std::size_t i = 0; i < marks.size(); ++i) {
        std::uint64_t next = marks[i].index + 1;
        if (marks[i].count > 1 && i + 1 < marks.size()) next = std::max(next, marks[i + 1].index);
        if (marks[i].count > 1 && i + 1 == marks.size() && lane.is_here(end, end))
            next = std::max(next, lane.lower_bound(end));
        states.push_back(state_at(lane, next - 1, marks[i].x, marks[i].count > 1));
    }
    for (const timeline::GapBand& gap : paint.picture.gaps) states.push_back({gap.x0, {}, false, true});
    std::stable_sort(states.begin(), states.end(), [](const State& a, const State& b) { return a.x < b.x; });
    return states;
}

// What the lane says from where on, in order; only changes.
std::vector<State> states_of(const timeline::Viewport& port, const LanePaint& paint) {
    if (paint.lane.has_only(wire::Kind::kText)) return states_of_texts(port, paint);
    std::vector<State> states;
    for (const timeline::ValueStep& step : paint.picture.values)
        states.push_back({step.x, timeline::number_text(step.value), step.count > 1});
    for (const timeline::TextFlag& flag : paint.picture.texts)
        states.push_back({flag.x, text_of(paint.lane, flag.index), flag.count > 1});
    for (const timeline::LevelMark& mark : paint.picture.levels) {
        static constexpr const char* kLevels[] = {"?", "low", "high"};
        states.push_back({mark.x0, kLevels[static_cast<std::size_t>(mark.level)], false});
    }
    if (states.empty()) {  // instants that carry numbers
        for (const timeline::TickMark& mark : paint.picture.ticks) {
            states.push_back({mark.x, value_of(paint.lane, mark.index), mark.count > 1});
        }
    }
    std::stable_sort(states.begin(), states.end(), [](const State& a, const State& b) { return a.x < b.x; });
    return states;
}

// The last state of a program that is gone, behind its end where there was no space before: what it said of it, maybe.
void paint_last_words(Context& context, const LanePaint& paint, const State& last, float end) {
    const Rect body = paint.place.inset(0, context.px(4));
    const float before = end - std::floor(body.x + std::max(last.x, 0.0F));
    const bool is_gone = context.known_until(paint.lane) < context.view.now();
    if (!is_gone || last.is_unknown || last.busy || end < body.x || before > context.px(22)) return;
    const float from = end + context.px(6);
    const Rect place{from, body.y, body.right() - from, body.height};
    if (place.width > context.px(22)) {
        draw_text(context.list, context.fonts.small, place, context.theme.dim, last.text);
    }
}

}  // namespace

void paint_rate(Context& context, const LanePaint& paint) {
    const float padding = context.px(kStatePadding);
    const Rect body = paint.place.inset(0, padding);
    timeline::RateStrip strip;
    timeline::rate_strip(paint.lane, context.port_of(paint.lane), context.view.now(),
                         context.session.clock().ticks_per_second(), kRateStep * static_cast<double>(context.layout.scale),
                         strip);
    if (strip.most > 0) {
        for (std::size_t i = 0; i < strip.rates.size(); ++i) {
            if (strip.rates[i] <= 0) continue;
            const float x0 = std::floor(body.x + static_cast<float>(static_cast<double>(i) * strip.step));
            const float x1 = std::floor(body.x + static_cast<float>(static_cast<double>(i + 1) * strip.step));
            const float height =
                std::max(context.hair(), std::round(body.height * static_cast<float>(strip.rates[i] / strip.most)));
            fill(context.list, {x0, body.bottom() - height, x1 - x0, height}, faded(paint.colour, 0.45F));
            fill(context.list, {x0, body.bottom() - height, x1 - x0, context.hair() * 2}, paint.colour);
        }
        const std::string most = timeline::readable_rate(strip.most);
        const float width = text_width(context.fonts.tiny, most) + context.px(8);
        const Rect tag{body.right() - width - context.px(12), body.y, width, context.fonts.tiny->FontSize + context.px(2)};
        fill(context.list, tag, faded(context.theme.background, 0.75F), context.px(2));
        draw_text(context.list, context.fonts.tiny, tag, context.theme.dim, most, Align::kCentre);
    }
    paint_gap_hatching(context, paint);
    paint_gap_labels(context, paint, gap_tags(context, paint));
}

void paint_states(Context& context, const LanePaint& paint) {
    const Rect body = paint.place.inset(0, context.px(4));
    const std::vector<State> states = states_of(context.port_of(paint.lane), paint);
    const auto end_tick = std::max(context.known_until(paint.lane), paint.lane.last_tick());
    const auto end = static_cast<float>(std::min(context.view.port().width(), context.port_of(paint.lane).x_of(end_tick)));
    for (std::size_t i = 0; i < states.size(); ++i) {
        const float x0 = std::floor(body.x + std::max(states[i].x, 0.0F));
        const float x1 = std::floor(body.x + (i + 1 < states.size() ? states[i + 1].x : end));
        if (states[i].is_unknown || x1 < body.x) continue;  // it ended left of what is in sight
        const ImU32 colour = context.theme.lane(std::hash<std::string>{}(states[i].text));
        if (x1 - x0 < context.px(2) || states[i].busy) {
            fill(context.list, {x0, body.y + body.height * 0.25F, std::max(context.hair(), x1 - x0), body.height * 0.5F},
                 faded(colour, 0.8F));
            fill(context.list, {x0, body.y - context.px(2), context.hair(), context.hair() * 2}, paint.colour);
            if (x1 - x0 < context.px(2)) continue;
        }
        const Rect block{x0, body.y, x1 - x0 - context.hair(), body.height};
        fill(context.list, block, mixed(context.theme.background, colour, 0.35F), context.px(2));
        fill(context.list, {x0, body.y, context.px(2), body.height}, colour);
        if (block.width > context.px(22)) {
            draw_text(context.list, context.fonts.small, block.inset(context.px(6), 0), context.theme.text, states[i].text);
        }
    }
    if (!states.empty()) paint_last_words(context, paint, states.back(), body.x + end);
    paint_gap_hatching(context, paint);
    paint_gap_labels(context, paint, gap_tags(context, paint));
}

}  // namespace sla::ui
