#include "viewer/ui/timeline/lane_painter.h"

#include "viewer/timeline/readable.h"
#include "viewer/timeline/value_at.h"
#include "viewer/ui/timeline/lane_painter_parts.h"
#include "viewer/ui/widgets/paint.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

namespace sla::ui {

namespace {

constexpr float kPadding = 6;
constexpr std::size_t kShades = 16;  // of density: more cannot be told apart
constexpr float kToNearest = 0.5F;   // of numbers above 0, where they are cut to whole ones

// Of a number above 0, to a tenth, from the bits of a float: one a pixel column is too much for a logarithm.
float rough_log2(std::uint64_t number) {
    const auto bits = static_cast<std::int32_t>(std::bit_cast<std::uint32_t>(static_cast<float>(number)));
    constexpr std::int32_t kOne = 0x3f800000;
    constexpr float kStep = 1.0F / 0x800000;
    return static_cast<float>(bits - kOne) * kStep;
}

// Columns of several ticks, darker where there are more.
struct DenseTicks : DenseMarks<timeline::TickMark> {
    DenseTicks(Quads& to, const Context& of, const LanePaint& lane, const Rect& place)
        : DenseMarks{to, of, lane, place, lane.picture.ticks, static_cast<int>(of.hair())} {
        std::uint64_t most = 2;
        for (const timeline::TickMark& mark : marks) most = std::max(most, mark.count);
        shade = static_cast<float>(kShades) / rough_log2(most);
        for (std::size_t i = 0; i < shades.size(); ++i) {
            shades[i] = faded(paint.colour, 0.45F + 0.55F * static_cast<float>(i) / static_cast<float>(kShades));
        }
    }
    [[nodiscard]] bool is_dense(std::size_t at) const { return at < marks.size() && marks[at].count > 1; }
    [[nodiscard]] std::size_t look(std::size_t at) const {
        return std::min(static_cast<std::size_t>(rough_log2(marks[at].count) * shade + kToNearest), kShades);
    }
    void paint_look(const PixelRange& range, std::size_t look) const {
        quads.add(range.rect(body.y, body.height), shades[look]);
    }
    void paint_over(const PixelRange&) const {}

    float shade;  // of twice as many
    std::array<ImU32, kShades + 1> shades;
};

void paint_ticks(Context& context, const LanePaint& paint, const Rect& body) {
    Quads quads(context.list);
    const DenseTicks dense(quads, context, paint, body);
    const float short_top = body.y + std::floor(body.height * 0.2F);
    auto stems = join_row(quads, {short_top, body.bottom() - short_top, paint.colour});
    auto heads = join_row(quads, {short_top, context.hair() * 3, paint.colour});
    const int hair = dense.width;
    for (std::size_t at = 0; at < dense.marks.size();) {
        if (dense.is_dense(at)) {
            at = paint_range(dense, at);
            continue;
        }
        const int x = dense.x(at++);
        stems.add(x, hair);
        heads.add(x - hair, hair * 3);
    }
}

void paint_texts(Context& context, const LanePaint& paint, const Rect& body, const std::vector<Rect>& taken) {
    const auto& texts = paint.picture.texts;
    const ImFont* font = context.fonts.small;
    const float height = std::min(body.height, font->FontSize + context.px(3));
    for (std::size_t i = 0; i < texts.size(); ++i) {
        const float x = std::floor(body.x + texts[i].x);
        const float next = i + 1 < texts.size() ? std::floor(body.x + texts[i + 1].x) : body.right();
        const float space = next - x - context.px(4);
        if (space < context.px(44) || !paint.lane.is_row_here(texts[i].index)) continue;
        const std::string text = paint.lane.text(texts[i].index);
        const float width = std::min(space, text_width(font, text) + context.px(10));
        const Rect flag{x + context.hair(), body.y, width, height};
        const auto overlaps = [&](const Rect& other) { return other.x < flag.right() && flag.x < other.right(); };
        if (std::any_of(taken.begin(), taken.end(), overlaps)) continue;
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
