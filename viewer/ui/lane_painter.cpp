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

// Several events share this pixel column: a short mark above it. Side by side they make a line over the dense stretch.
Rect many_mark(const Context& context, const Rect& body, float x) {
    const float size = context.hair() * 2;
    return {x, body.y - size * 2, context.hair(), size};
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
    Joined dense(context.list);
    Joined many(context.list);
    for (const timeline::TickMark& mark : paint.picture.ticks) {
        const float x = std::floor(body.x + mark.x);
        if (mark.count > 1) {
            const auto density = static_cast<std::size_t>(rough_log2(mark.count) * shade + 0.5F);
            dense.add({x, body.y, hair, body.height}, shades[std::min(density, kShades)]);
            many.add(many_mark(context, body, x), paint.colour);
            continue;
        }
        fill(context.list, {x, short_top, hair, body.bottom() - short_top}, paint.colour);
        fill(context.list, {x - hair, short_top, hair * 3, hair * 3}, paint.colour);
    }
}

void paint_levels(Context& context, const LanePaint& paint, const Rect& body) {
    const float line = std::max(1.0F, std::round(1.5F * context.layout.scale));
    const ImU32 under = faded(paint.colour, 0.14F);
    for (const timeline::LevelMark& mark : paint.picture.levels) {
        const float x0 = std::floor(body.x + mark.x0);
        const float x1 = std::floor(body.x + mark.x1);
        if (mark.level == store::Level::kUnknown) {
            const float middle = std::floor(body.y + body.height / 2);
            for (float x = x0; x < x1; x += context.px(6)) {
                fill(context.list, {x, middle, std::min(context.px(3), x1 - x), line}, faded(context.theme.dim, 0.7F));
            }
        } else {
            const bool high = mark.level == store::Level::kHigh;
            if (high) fill(context.list, {x0, body.y, x1 - x0, body.height}, under);
            fill(context.list, {x0, high ? body.y : body.bottom() - line, x1 - x0 + line, line}, paint.colour);
        }
        if (mark.edge) fill(context.list, {x0, body.y, line, body.height}, paint.colour);
    }
    const ImU32 pale = faded(paint.colour, 0.35F);
    const ImU32 strong = faded(paint.colour, 0.65F);
    Joined whole(context.list);
    Joined highs(context.list);
    Joined many(context.list);
    for (const timeline::BusyLevel& busy : paint.picture.busy_levels) {
        const float x = std::floor(body.x + busy.x);
        whole.add({x, body.y, 1, body.height}, pale);
        const float high = std::round(body.height * busy.high_share);
        highs.add({x, body.bottom() - high, 1, high}, strong);
        many.add(many_mark(context, body, x), paint.colour);
    }
}

float value_y(const timeline::LanePicture& picture, const Rect& body, double value) {
    const double range = picture.value_max - picture.value_min;
    if (!(range > 0.0) || !std::isfinite(value)) return std::floor(body.y + body.height / 2);
    const double share = std::clamp((value - picture.value_min) / range, 0.0, 1.0);
    return std::floor(body.bottom() - static_cast<float>(share) * (body.height - 1));
}

void paint_values(Context& context, const LanePaint& paint, const Rect& body) {
    const auto& values = paint.picture.values;
    if (values.empty()) return;
    const float line = std::max(1.0F, std::round(1.5F * context.layout.scale));
    const auto end_tick = std::max(context.view.now(), paint.lane.last_tick());
    const auto now_x = static_cast<float>(std::min(context.view.port().width(), context.view.port().x_of(end_tick)));
    const ImU32 pale = faded(paint.colour, 0.55F);
    Joined bands(context.list);
    Joined many(context.list);
    Joined steps(context.list);
    for (std::size_t i = 0; i < values.size(); ++i) {
        const timeline::ValueStep& step = values[i];
        const float x = std::floor(body.x + step.x);
        const float until = std::floor(body.x + (i + 1 < values.size() ? values[i + 1].x : now_x));
        const float y = value_y(paint.picture, body, step.value);
        if (step.count > 1) {
            const float top = value_y(paint.picture, body, step.max);
            bands.add({x, top, 1, value_y(paint.picture, body, step.min) - top + line}, pale);
            many.add(many_mark(context, body, x), paint.colour);
        }
        if (const float before = i > 0 ? value_y(paint.picture, body, values[i - 1].value) : y; before != y) {
            fill(context.list, {x, std::min(before, y), line, std::abs(before - y) + line}, paint.colour);
        }
        if (until > x) steps.add({x, y, until - x, line}, paint.colour);
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
