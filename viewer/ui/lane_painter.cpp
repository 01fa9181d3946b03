#include "viewer/ui/lane_painter.h"

#include "viewer/timeline/readable.h"
#include "viewer/timeline/value_at.h"
#include "viewer/ui/lane_painter_parts.h"
#include "viewer/ui/paint.h"

#include <algorithm>
#include <array>
#include <bit>

namespace sla::ui {

namespace {

constexpr float kPadding = 6;
constexpr std::size_t kShades = 16;  // of density: more cannot be told apart

// Of a number above 0, to a tenth, from the bits of a float: one a pixel column is too much for a logarithm.
float rough_log2(std::uint64_t number) {
    const auto bits = static_cast<std::int32_t>(std::bit_cast<std::uint32_t>(static_cast<float>(number)));
    constexpr std::int32_t kOne = 0x3f800000;
    constexpr float kStep = 1.0F / 0x800000;
    return static_cast<float>(bits - kOne) * kStep;
}

void paint_ticks(Context& context, const LanePaint& paint, const Rect& body) {
    const float hair = context.hair();
    const float short_top = body.y + std::floor(body.height * 0.2F);
    std::uint64_t most = 2;
    for (const timeline::TickMark& mark : paint.picture.ticks) most = std::max(most, mark.count);
    std::array<ImU32, kShades + 1> shades{};
    for (std::size_t i = 0; i < shades.size(); ++i) {
        shades[i] = faded(paint.colour, 0.45F + 0.55F * static_cast<float>(i) / static_cast<float>(kShades));
    }
    const float shade = static_cast<float>(kShades) / rough_log2(most);
    Quads quads(context.list);
    JoinedRow dense(quads, body.y, body.height);
    ManyMarks many(quads, context, body, paint.colour);
    JoinedRow stems(quads, short_top, body.bottom() - short_top);
    JoinedRow heads(quads, short_top, hair * 3);
    for (const timeline::TickMark& mark : paint.picture.ticks) {
        const float x = pixel(body.x + mark.x);
        if (mark.count > 1) {
            const auto density = static_cast<std::size_t>(rough_log2(mark.count) * shade + 0.5F);
            dense.add(x, hair, shades[std::min(density, kShades)]);
            many.add(x);
            continue;
        }
        stems.add(x, hair, paint.colour);
        heads.add(x - hair, hair * 3, paint.colour);
    }
}

// Dashed, from `left` on: what lies before is out of sight.
void paint_unknown_level(Quads& quads, const Context& context, const Rect& place, float left) {
    const float step = context.px(6);
    const float dash = context.px(3);
    const ImU32 colour = faded(context.theme.dim, 0.7F);
    const float skipped = std::floor(std::max(left - place.x, 0.0F) / step) * step;
    for (float x = place.x + skipped; x < place.right(); x += step) {
        quads.add({x, place.y, std::min(dash, place.right() - x), place.height}, colour);
    }
}

void paint_levels(Context& context, const LanePaint& paint, const Rect& body) {
    const float line = std::max(1.0F, std::round(1.5F * context.layout.scale));
    const ImU32 under = faded(paint.colour, 0.14F);
    Quads quads(context.list);
    for (const timeline::LevelMark& mark : paint.picture.levels) {
        const float x0 = pixel(body.x + mark.x0);
        const float x1 = pixel(body.x + mark.x1);
        if (mark.level == store::Level::kUnknown) {
            paint_unknown_level(quads, context, {x0, std::floor(body.y + body.height / 2), x1 - x0, line}, body.x);
        } else {
            const bool high = mark.level == store::Level::kHigh;
            if (high) quads.add({x0, body.y, x1 - x0, body.height}, under);
            quads.add({x0, high ? body.y : body.bottom() - line, x1 - x0 + line, line}, paint.colour);
        }
        if (mark.edge) quads.add({x0, body.y, line, body.height}, paint.colour);
    }
    const ImU32 pale = faded(paint.colour, 0.35F);
    const ImU32 strong = faded(paint.colour, 0.65F);
    JoinedRow whole(quads, body.y, body.height);
    Joined highs(quads);
    ManyMarks many(quads, context, body, paint.colour);
    for (const timeline::BusyLevel& busy : paint.picture.busy_levels) {
        const float x = pixel(body.x + busy.x);
        whole.add(x, 1, pale);
        const float high = pixel(body.height * busy.high_share + 0.5F);
        highs.add({x, body.bottom() - high, 1, high}, strong);
        many.add(x);
    }
}

float value_y(const timeline::LanePicture& picture, const Rect& body, double value) {
    const double range = picture.value_max - picture.value_min;
    if (!(range > 0.0) || !std::isfinite(value)) return pixel(body.y + body.height / 2);
    const double share = std::clamp((value - picture.value_min) / range, 0.0, 1.0);
    return pixel(body.bottom() - static_cast<float>(share) * (body.height - 1));
}

void paint_values(Context& context, const LanePaint& paint, const Rect& body) {
    const auto& values = paint.picture.values;
    if (values.empty()) return;
    const float line = std::max(1.0F, std::round(1.5F * context.layout.scale));
    const auto end_tick = std::max(context.view.now(), paint.lane.last_tick());
    const timeline::Viewport& port = context.view.port();
    const auto now_x = static_cast<float>(std::clamp(port.x_of(end_tick), -1.0, port.width()));
    const ImU32 pale = faded(paint.colour, 0.55F);
    Quads quads(context.list);
    Joined bands(quads);
    ManyMarks many(quads, context, body, paint.colour);
    Joined steps(quads);
    float before = value_y(paint.picture, body, values.front().value);
    float x = pixel(body.x + values.front().x);
    for (std::size_t i = 0; i < values.size(); ++i) {
        const timeline::ValueStep& step = values[i];
        const float until = pixel(body.x + (i + 1 < values.size() ? values[i + 1].x : now_x));
        const float y = value_y(paint.picture, body, step.value);
        if (step.count > 1) {
            const float top = value_y(paint.picture, body, step.max);
            bands.add({x, top, 1, value_y(paint.picture, body, step.min) - top + line}, pale);
            many.add(x);
        }
        if (before != y) quads.add({x, std::min(before, y), line, std::abs(before - y) + line}, paint.colour);
        if (until > x) steps.add({x, y, until - x, line}, paint.colour);
        before = y;
        x = until;
    }
}

void paint_texts(Context& context, const LanePaint& paint, const Rect& body, const std::vector<Rect>& taken) {
    const auto& texts = paint.picture.texts;
    const ImFont* font = context.fonts.small;
    const float height = std::min(body.height, font->FontSize + context.px(3));
    for (std::size_t i = 0; i < texts.size(); ++i) {
        const float x = std::floor(body.x + texts[i].x);
        const float next = i + 1 < texts.size() ? std::floor(body.x + texts[i + 1].x) : body.right();
        const float room = next - x - context.px(4);
        if (room < context.px(44) || !paint.lane.is_row_here(texts[i].index)) continue;
        const std::string text = paint.lane.text(texts[i].index);
        const float width = std::min(room, text_width(font, text) + context.px(10));
        const Rect flag{x + context.hair(), body.y, width, height};
        const auto meets = [&](const Rect& other) { return other.x < flag.right() && flag.x < other.right(); };
        if (std::any_of(taken.begin(), taken.end(), meets)) continue;
        fill(context.list, flag, mixed(context.theme.background, paint.colour, 0.25F), context.px(2));
        draw_text(context.list, font, flag.inset(context.px(4), 0), context.theme.text, text);
    }
}

}  // namespace

void paint_lane(Context& context, const LanePaint& paint) {
    const Clip clip(context.list, paint.place);
    const float padding = context.px(kPadding);
    const Rect body{paint.place.x, paint.place.y + padding, paint.place.width, paint.place.height - padding - context.px(4)};
    paint_levels(context, paint, body);
    paint_values(context, paint, body);
    paint_spans(context, paint, body);
    paint_ticks(context, paint, body);
    paint_gap_hatching(context, paint);  // over everything: a loss is never hidden
    if (!paint.words) return;
    const std::vector<Rect> tags = gap_tags(context, paint);
    paint_texts(context, paint, body, tags);
    paint_gap_labels(context, paint, tags);
}

}  // namespace sla::ui
