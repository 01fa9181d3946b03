// The step line of a lane's values. Finite ones have a scale; infinite ones stand at an edge of their own beyond it, marked by
// arrowheads, and what is no number is a hole.
#include "viewer/ui/timeline/lane_painter_parts.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace sla::ui {

namespace {

constexpr float kNowhere = std::numeric_limits<float>::quiet_NaN();

bool is_somewhere(float y) {
    return y == y;
}

// The height of an edge for infinite values, as much as the lane has space for.
float height_of_edge(const Context& context, const Rect& body) {
    constexpr float kEdge = 7;
    constexpr float kMostOfBody = 0.25F;
    return std::floor(std::min(context.px(kEdge), body.height * kMostOfBody));
}

// The part of a lane that its finite values take.
Rect finite_part(const Context& context, const Rect& body, const ValueExtent& values) {
    const float edge = height_of_edge(context, body);
    const float above = values.has_above ? edge : 0;
    const float below = values.has_below ? edge : 0;
    return {body.x, body.y + above, body.width, body.height - above - below};
}

// Where finite values stand. A dense column asks three times: a dozen instructions.
class ValueScale {
public:
    ValueScale(const ValueExtent& values, const Rect& body)
        : least_(values.least), height_(body.height - 1), bottom_(body.bottom()), base_(pixel(body.y + body.height / 2)) {
        double range = values.greatest - values.least;
        if (std::isinf(range)) {  // of finite values that lie too far apart for their difference
            unit_ = 0.5;
            least_ *= unit_;
            range = values.greatest * unit_ - least_;
        }
        const double pixels = height_ / range;
        if (!(range > 0.0) || !std::isfinite(pixels)) return;
        pixels_ = pixels;
        base_ = bottom_;
    }
    // kNowhere: it is not finite.
    [[nodiscard]] float y(double value) const {
        const double above = (value * unit_ - least_) * pixels_;
        if (!(above >= 0 && above <= height_)) return unusual_y(value, above);
        return static_cast<float>(column_in_sight(base_ - static_cast<float>(above)));
    }

private:
    [[nodiscard]] float unusual_y(double value, double above) const {
        if (!std::isfinite(value)) return kNowhere;
        return pixel(bottom_ - static_cast<float>(std::fmax(0.0, std::fmin(above, height_))));
    }

    double least_;
    double height_;
    double unit_ = 1;    // what values are multiplied by
    double pixels_ = 0;  // of one such; 0: all are the same, and stand in the middle
    float bottom_;
    float base_;  // where the least stands
};

// Columns of several values: from the least finite one to the greatest.
struct DenseValues : DenseMarks<timeline::ValueStep> {
    struct Look {
        float top;
        float height;
        bool operator==(const Look&) const = default;
    };
    [[nodiscard]] bool is_dense(std::size_t at) const {
        return at < marks.size() && marks[at].count > 1 && marks[at].max >= marks[at].min;
    }
    [[nodiscard]] Look look(std::size_t at) const {
        const float top = scale.y(marks[at].max);
        return {top, scale.y(marks[at].min) - top + line};
    }
    void paint_look(const PixelRange& range, const Look& look) const { quads.add(range.rect(look.top, look.height), pale); }
    void paint_over(const PixelRange&) const {}

    const ValueScale& scale;
    float line;
    ImU32 pale = faded(paint.colour, 0.55F);
};

// A line at each value until the next one that stands elsewhere, and an edge between them; what stands alone between two holes
// is as wide as the line is thick.
void paint_steps(Quads& quads, const LanePaint& paint, const Rect& body, const ValueScale& scale, int line, int end) {
    const auto& values = paint.picture.values;
    const auto thick = static_cast<float>(line);
    int begin = column(body.x + values.front().x);
    int covered = begin;  // by the edge that was drawn last
    float y = scale.y(values.front().value);
    const auto step_until = [&](int x) {
        if (x > covered && is_somewhere(y))
            quads.add({static_cast<float>(begin), y, static_cast<float>(x - begin), thick}, paint.colour);
    };
    for (std::size_t i = 1; i < values.size(); ++i) {
        const float next = scale.y(values[i].value);
        if (next == y) continue;
        const int x = column_in_sight(body.x + values[i].x);
        step_until(is_somewhere(next) ? x : std::max(x, begin + line));
        begin = covered = x;
        if (is_somewhere(y) && is_somewhere(next)) {
            quads.add({static_cast<float>(x), std::min(y, next), thick, std::abs(next - y) + thick}, paint.colour);
            covered = x + line;
        }
        y = next;
    }
    step_until(std::max(end, begin + line));
}

// What stands at an edge for infinite values: a line over the columns that have some, and arrowheads that point out of the scale.
struct InfiniteMarks {
    Quads& quads;
    int hair;
    ImU32 colour;
    float outermost;                             // row of pixels
    float inwards;                               // from a row to the next: a hair down or up
    int next = std::numeric_limits<int>::min();  // where there is space for an arrowhead

    void paint(const PixelRange& range) {
        constexpr int kDistance = 14;  // hairs
        const auto thick = static_cast<float>(hair);
        quads.add(range.rect(outermost, thick), colour);
        for (int x = std::max(range.begin, next); x < range.end; x = next) {
            paint_arrowhead(static_cast<float>(x), thick);
            next = x + kDistance * hair;
        }
    }

private:
    void paint_arrowhead(float x, float thick) {
        constexpr int kRows = 4;
        for (int row = 0; row < kRows; ++row) {
            const float aside = static_cast<float>(row) * thick;
            quads.add({x - aside, outermost + static_cast<float>(row) * inwards, 2 * aside + thick, thick}, colour);
        }
    }
};

// +infinity above the scale or -infinity below it, up to `end`.
void paint_infinite(InfiniteMarks marks, const LanePaint& paint, float left, bool is_above, int end) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    const double infinity = is_above ? kInfinity : -kInfinity;
    const auto& values = paint.picture.values;
    const auto x_of = [&](std::size_t at) { return column_in_sight(left + std::max(values[at].x, -1.0F)); };
    Joined joined(true, [&](const PixelRange& range, bool) { marks.paint(range); });
    for (std::size_t at = 0; at < values.size(); ++at) {
        const bool holds = values[at].value == infinity;  // until the next one
        if (!holds && !(is_above ? values[at].has_above : values[at].has_below)) continue;
        const int x = x_of(at);
        const int until = !holds ? x : at + 1 < values.size() ? x_of(at + 1) : end;
        joined.add(x, std::max(until - x, 1), true);
    }
}

}  // namespace

void paint_values(Context& context, const LanePaint& paint, const Rect& body) {
    const auto& values = paint.picture.values;
    if (values.empty()) return;
    const int line = std::max(1, static_cast<int>(std::round(1.5F * context.layout.scale)));
    const auto end_tick = std::max(context.known_until(paint.lane), paint.lane.last_tick());
    const timeline::Viewport port = context.port_of(paint.lane);
    const auto now_x = static_cast<float>(std::clamp(port.x_of(end_tick), -1.0, port.width()));
    const int end = column(body.x + now_x);
    const Rect finite = finite_part(context, body, paint.values);
    Quads quads(context.list);
    const ValueScale scale(paint.values, finite);
    const DenseValues dense{{quads, context, paint, body, values, 1}, scale, static_cast<float>(line)};
    for (std::size_t at = 0; at < values.size();) at = dense.is_dense(at) ? paint_range(dense, at) : at + 1;
    paint_steps(quads, paint, finite, scale, line, end);
    const float hair = context.hair();
    const InfiniteMarks above{quads, static_cast<int>(hair), paint.colour, body.y, hair};
    const InfiniteMarks below{quads, static_cast<int>(hair), paint.colour, body.bottom() - hair, -hair};
    if (paint.picture.has_above) paint_infinite(above, paint, body.x, true, end);
    if (paint.picture.has_below) paint_infinite(below, paint, body.x, false, end);
}

}  // namespace sla::ui
