#include "viewer/ui/timeline/lane_painter_parts.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace sla::ui {

namespace {

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

// How much of each column the level was high, as height.
struct BusyLevels : DenseMarks<timeline::BusyLevel> {
    [[nodiscard]] bool is_dense(std::size_t at) const { return at < marks.size(); }
    [[nodiscard]] int look(std::size_t at) const { return static_cast<int>(body.height * marks[at].high_share + 0.5F); }
    void paint_look(const PixelRange& range, int look) const {
        const auto high = static_cast<float>(look);
        quads.add(range.rect(body.bottom() - high, high), strong);
    }
    void paint_over(const PixelRange& range) const { quads.add(range.rect(body.y, body.height), pale); }

    ImU32 pale = faded(paint.colour, 0.35F);
    ImU32 strong = faded(paint.colour, 0.65F);
};

}  // namespace

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
            const bool has_inside = x1 - x0 > 2 * line;  // between its edges there is something to see
            if (high && has_inside) quads.add({x0, body.y, x1 - x0, body.height}, under);
            quads.add({x0, high ? body.y : body.bottom() - line, x1 - x0 + line, line}, paint.colour);
        }
        if (mark.edge) quads.add({x0, body.y, line, body.height}, paint.colour);
    }
    const BusyLevels busy{{quads, context, paint, body, paint.picture.busy_levels, 1}};
    for (std::size_t at = 0; busy.is_dense(at);) at = paint_range(busy, at);
}

}  // namespace sla::ui
