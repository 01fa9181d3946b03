#include "viewer/timeline/readable.h"
#include "viewer/timeline/value_at.h"
#include "viewer/ui/timeline/lane_painter_parts.h"
#include "viewer/ui/widgets/paint.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace sla::ui {

namespace {

constexpr float kRowGap = 1;
constexpr float kMinRow = 3;
constexpr float kLabelWidth = 8;

// Where the lane's rows of bars stand.
struct Rows {
    Rect body;
    float height;
    float gap;  // below each

    Rows(const Context& context, const LanePaint& paint, const Rect& of)
        : body(of),
          height(std::max(context.px(kMinRow), std::floor(of.height / std::max<float>(1, paint.lane.spans().rows())))),
          gap(height > context.px(6) ? context.px(kRowGap) : 0) {}

    [[nodiscard]] Rect bar(float x0, float x1, std::uint16_t row) const {
        return {x0, body.y + height * static_cast<float>(row), x1 - x0, height - gap};
    }
};

std::string length_of(const timeline::SpanBar& bar, const time::ClockMap& clock) {
    if (bar.state == store::SpanState::kOpen) return "open";
    if (bar.state == store::SpanState::kCut) return "end lost";
    return timeline::readable_delta(clock.ticks_to_ps(static_cast<std::int64_t>(bar.end_tick - bar.begin_tick)));
}

// As much of value and length as fits whole: a number cut in the middle would lie.
std::string label_of(const Context& context, const store::Lane& lane, const timeline::SpanBar& bar, float space) {
    const ImFont* font = context.fonts.small;
    const bool here = lane.is_row_here(bar.begin_index);
    const std::string value = here ? timeline::value_text(lane[bar.begin_index]) : std::string();
    const std::string length = length_of(bar, context.session.clock());
    const std::string both = value.empty() ? length : value + "   " + length;
    if (text_width(font, both) <= space) return both;
    return text_width(font, value) <= space ? value : std::string();
}

// Everything of a bar but its words.
void paint_bar(Quads& quads, const Context& context, const Rect& place, ImU32 body, ImU32 edge) {
    quads.add(place, body);
    quads.add({place.x, place.y, std::min(place.width, context.px(2)), place.height}, edge);
}

Rect bar_place(const Context& context, const LanePaint& paint, const Rows& rows, const timeline::SpanBar& bar) {
    const float x0 = pixel(paint.place.x + bar.x0);
    return rows.bar(x0, std::max(pixel(paint.place.x + bar.x1), x0 + context.hair()), bar.row);
}

void paint_torn_end(Context& context, const Rect& place) {
    const float torn = std::min(place.width, context.px(8));
    draw_hatch(context.list, {place.right() - torn, place.y, torn, place.height}, context.theme.loss, context.px(4),
               context.hair());
}

void label_bar(Context& context, const LanePaint& paint, const Rect& place, const timeline::SpanBar& bar) {
    const float edge = std::min(place.width, context.px(2));
    const float x = std::max(place.x + edge + context.px(3), paint.place.x + context.px(3));
    const float space = std::min(place.right(), paint.place.right()) - x - context.px(3);
    const ImFont* font = context.fonts.small;
    if (space < context.px(kLabelWidth) || place.height < font->FontSize) return;
    const std::string label = label_of(context, paint.lane, bar, space);
    draw_text(context.list, font, {x, place.y, space, place.height}, context.theme.text, label);
}

// What was not kept is no alarm.
ImU32 gap_ink(const Context& context, const timeline::GapBand& band) {
    return band.not_kept ? context.theme.dim : context.theme.loss;
}

std::string gap_label(const store::Lane& lane, const timeline::GapBand& band) {
    if (band.lost == 0) return lane.text(band.index);  // not counted: why, at least
    if (band.not_kept) return "not kept: " + timeline::grouped(band.lost);
    return "lost " + timeline::lost_number(band.lost, timeline::is_counted(lane, band) ? 0 : 1);
}

Rect gap_place(const Context& context, const LanePaint& paint, const timeline::GapBand& band) {
    const float x0 = std::floor(paint.place.x + band.x0);
    const float x1 = std::max(std::floor(paint.place.x + band.x1), x0 + context.px(4));
    const float left = std::max(x0, paint.place.x - context.px(1));
    return {left, paint.place.y, std::min(x1, paint.place.right() + context.px(1)) - left,
            paint.place.height - context.hair()};
}

// Nothing else is drawn from x0 to x1: a label there hides no event.
bool is_free(const LanePaint& paint, float x0, float x1) {
    const timeline::LanePicture& picture = paint.picture;
    const float from = x0 - paint.place.x - 2;
    const float until = x1 - paint.place.x + 2;
    const auto clear_of = [&](const auto& marks) {
        return std::none_of(marks.begin(), marks.end(), [&](const auto& mark) { return mark.x >= from && mark.x <= until; });
    };
    const bool no_bar = std::none_of(picture.bars.begin(), picture.bars.end(),
                                     [&](const timeline::SpanBar& bar) { return bar.x1 >= from && bar.x0 <= until; });
    const bool no_edge = std::none_of(picture.levels.begin(), picture.levels.end(), [&](const timeline::LevelMark& mark) {
        return mark.edge && mark.x0 >= from && mark.x0 <= until;
    });
    return no_bar && no_edge && clear_of(picture.ticks) && clear_of(picture.slivers) && clear_of(picture.values) &&
           clear_of(picture.busy_levels);
}

// Many narrow spans: those of a row that touch become one. A dense lane has one a column and row, so what they share stands
// in locals: some thirty instructions each.
void paint_slivers(Context& context, const LanePaint& paint, const Rect& body, const Rows& rows) {
    const auto& slivers = paint.picture.slivers;
    if (slivers.empty()) return;
    Quads quads(context.list);
    const auto finish = [&](const PixelRange& range, std::size_t row) {
        const Rect columns = range.rect(0, 0);
        quads.add(rows.bar(columns.x, columns.right(), static_cast<std::uint16_t>(row)), paint.colour);
    };
    auto many = join_row(quads, many_mark(context, body, paint.colour));
    std::uint16_t deepest = 0;
    for (const timeline::SpanSliver& sliver : slivers) deepest = std::max(deepest, sliver.row);
    std::vector<PixelRange> by_row(std::size_t{deepest} + 1);
    PixelRange* const ranges = by_row.data();
    const int hair = static_cast<int>(context.hair());
    for (const timeline::SpanSliver& sliver : slivers) {
        const int x = column_in_sight(paint.place.x + sliver.x);
        PixelRange& range = ranges[sliver.row];
        if (!range.take(x, hair)) finish(std::exchange(range, {x, x + hair}), sliver.row);
        if (sliver.count > 1) many.add(x, hair);
    }
    for (std::size_t row = 0; row < by_row.size(); ++row) finish(by_row[row], row);
}

}  // namespace

void paint_spans(Context& context, const LanePaint& paint, const Rect& body) {
    if (paint.lane.spans().empty()) return;
    const Rows rows(context, paint, body);
    paint_slivers(context, paint, body, rows);
    {
        Quads quads(context.list);
        const ImU32 colour = mixed(context.theme.background, paint.colour, 0.42F);
        for (const timeline::SpanBar& bar : paint.picture.bars) {
            paint_bar(quads, context, bar_place(context, paint, rows, bar), colour, paint.colour);
        }
    }
    for (const timeline::SpanBar& bar : paint.picture.bars) {
        const Rect place = bar_place(context, paint, rows, bar);
        if (bar.state == store::SpanState::kCut) paint_torn_end(context, place);
        if (paint.words) label_bar(context, paint, place, bar);
    }
}

void paint_gap_hatching(Context& context, const LanePaint& paint) {
    for (const timeline::GapBand& band : paint.picture.gaps) {
        const Rect place = gap_place(context, paint, band);
        const ImU32 ink = gap_ink(context, band);
        fill(context.list, place, faded(mixed(context.theme.background, ink, 0.15F), 0.6F));
        draw_hatch(context.list, place, faded(ink, band.not_kept ? 0.4F : 0.75F), context.px(6), context.hair());
    }
}

std::vector<Rect> gap_tags(const Context& context, const LanePaint& paint) {
    const ImFont* font = context.fonts.small;
    std::vector<Rect> tags(paint.picture.gaps.size());
    float taken = paint.place.x;
    for (std::size_t i = 0; i < tags.size(); ++i) {
        const Rect place = gap_place(context, paint, paint.picture.gaps[i]);
        const bool last = i + 1 == tags.size();
        const float next = last ? paint.place.right() : gap_place(context, paint, paint.picture.gaps[i + 1]).x;
        const float width = text_width(font, gap_label(paint.lane, paint.picture.gaps[i])) + context.px(8);
        // In the middle of a wide band, else to the right of a narrow one when there is space before the next.
        const bool inside = place.width >= width + context.px(4);
        const float x = inside ? std::floor(place.x + (place.width - width) / 2) : place.right() + context.px(2);
        if (x < taken || x + width > (inside ? place.right() : next)) continue;
        if (!inside && !is_free(paint, x, x + width)) continue;
        const float height = font->FontSize + context.px(4);
        tags[i] = {x, std::floor(paint.place.y + (paint.place.height - height) / 2), width, height};
        taken = x + width;
    }
    return tags;
}

void paint_gap_labels(Context& context, const LanePaint& paint, const std::vector<Rect>& tags) {
    for (std::size_t i = 0; i < tags.size(); ++i) {
        if (tags[i].width <= 0) continue;
        const ImU32 ink = gap_ink(context, paint.picture.gaps[i]);
        fill(context.list, tags[i], mixed(context.theme.background, ink, 0.12F), context.px(3));
        draw_text(context.list, context.fonts.small, tags[i], ink, gap_label(paint.lane, paint.picture.gaps[i]),
                  Align::kCentre);
    }
}

}  // namespace sla::ui
