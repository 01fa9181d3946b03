#include "viewer/timeline/readable.h"
#include "viewer/timeline/value_at.h"
#include "viewer/ui/lane_painter_parts.h"
#include "viewer/ui/paint.h"

#include <algorithm>

namespace sla::ui {

namespace {

constexpr float kRowGap = 1;
constexpr float kLeastRow = 3;
constexpr float kLabelRoom = 30;

// Where the lane's rows of bars stand.
struct Rows {
    Rect body;
    float height;

    Rows(const Context& context, const LanePaint& paint, const Rect& of)
        : body(of),
          height(std::max(context.px(kLeastRow), std::floor(of.height / std::max<float>(1, paint.lane.spans().rows())))) {}

    [[nodiscard]] Rect bar(const Context& context, float x0, float x1, std::uint16_t row) const {
        const float gap = height > context.px(6) ? context.px(kRowGap) : 0;
        return {x0, body.y + height * static_cast<float>(row), x1 - x0, height - gap};
    }
};

std::string label_of(const store::Lane& lane, const store::Span& span, const time::ClockMap& clock) {
    const std::string value = timeline::value_text(lane[span.begin_index]);
    if (span.state == store::SpanState::kOpen) return value.empty() ? "open" : value;
    const auto ticks = static_cast<std::int64_t>(span.end_tick - span.begin_tick);
    const std::string length = span.state == store::SpanState::kCut ? "end lost" : timeline::readable_delta(clock.ticks_to_ps(ticks));
    return value.empty() ? length : value + "  " + length;
}

void paint_bar(Context& context, const LanePaint& paint, const Rows& rows, const timeline::SpanBar& bar) {
    const float x0 = std::floor(paint.place.x + bar.x0);
    const float x1 = std::max(std::floor(paint.place.x + bar.x1), x0 + context.hair());
    const Rect place = rows.bar(context, x0, x1, bar.row);
    const store::Span& span = paint.lane.spans()[bar.span];
    fill(context.list, place, mixed(context.theme.background, paint.colour, 0.42F));
    const float edge = std::min(place.width, context.px(2));
    fill(context.list, {place.x, place.y, edge, place.height}, paint.colour);
    if (bar.state == store::SpanState::kCut) {
        const float torn = std::min(place.width, context.px(8));
        draw_hatch(context.list, {place.right() - torn, place.y, torn, place.height}, context.theme.loss, context.px(4),
                   context.hair());
    }
    const Rect visible_part{std::max(place.x + edge + context.px(3), paint.place.x + context.px(3)), place.y, 0, place.height};
    const float room = std::min(place.right(), paint.place.right()) - visible_part.x - context.px(3);
    const ImFont* font = context.fonts.small;
    if (room < context.px(kLabelRoom) || place.height < font->FontSize) return;
    const std::string label = label_of(paint.lane, span, context.session.clock());
    draw_text(context.list, font, {visible_part.x, place.y, room, place.height}, context.theme.text, label);
}

std::string gap_label(const timeline::GapBand& band) {
    return "lost " + timeline::grouped(band.lost);
}

Rect gap_place(const Context& context, const LanePaint& paint, const timeline::GapBand& band) {
    const float x0 = std::floor(paint.place.x + band.x0);
    const float x1 = std::max(std::floor(paint.place.x + band.x1), x0 + context.px(4));
    const float left = std::max(x0, paint.place.x - context.px(1));
    return {left, paint.place.y, std::min(x1, paint.place.right() + context.px(1)) - left, paint.place.height - context.hair()};
}

}  // namespace

void paint_spans(Context& context, const LanePaint& paint, const Rect& body) {
    if (paint.lane.spans().empty()) return;
    const Rows rows(context, paint, body);
    for (const timeline::SpanSliver& sliver : paint.picture.slivers) {
        const float x = std::floor(paint.place.x + sliver.x);
        const Rect place = rows.bar(context, x, x + context.hair(), sliver.row);
        fill(context.list, place, paint.colour);
        if (sliver.count > 1) fill(context.list, {x, body.y - context.hair() * 4, context.hair(), context.hair() * 2}, paint.colour);
    }
    for (const timeline::SpanBar& bar : paint.picture.bars) paint_bar(context, paint, rows, bar);
}

void paint_gap_hatching(Context& context, const LanePaint& paint) {
    for (const timeline::GapBand& band : paint.picture.gaps) {
        const Rect place = gap_place(context, paint, band);
        fill(context.list, place, faded(context.theme.loss, 0.10F));
        draw_hatch(context.list, place, faded(context.theme.loss, 0.75F), context.px(6), context.hair());
    }
}

void paint_gap_labels(Context& context, const LanePaint& paint) {
    const ImFont* font = context.fonts.small;
    float taken = paint.place.x;
    for (std::size_t i = 0; i < paint.picture.gaps.size(); ++i) {
        const Rect place = gap_place(context, paint, paint.picture.gaps[i]);
        const bool last = i + 1 == paint.picture.gaps.size();
        const float next = last ? paint.place.right() : gap_place(context, paint, paint.picture.gaps[i + 1]).x;
        const std::string label = gap_label(paint.picture.gaps[i]);
        const float width = text_width(font, label) + context.px(8);
        // In the middle of a wide band, else to the right of a narrow one when there is room before the next.
        const bool inside = place.width >= width + context.px(4);
        const float x = inside ? std::floor(place.x + (place.width - width) / 2) : place.right() + context.px(2);
        if (x < taken || x + width > (inside ? place.right() : next)) continue;
        const float height = font->FontSize + context.px(4);
        const Rect tag{x, std::floor(paint.place.y + (paint.place.height - height) / 2), width, height};
        fill(context.list, tag, faded(context.theme.background, 0.88F), context.px(3));
        draw_text(context.list, font, tag, context.theme.loss, label, Align::kCentre);
        taken = tag.right();
    }
}

}  // namespace sla::ui
