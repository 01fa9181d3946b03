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

// Where values stand; what is no number, or infinite, in the middle. A dense column asks three times: a dozen instructions.
class ValueScale {
public:
    ValueScale(const ValueExtent& values, const Rect& body)
        : least_(values.least),
          height_(body.height - 1),
          middle_(pixel(body.y + body.height / 2)),
          bottom_(body.bottom()),
          base_(middle_) {
        const double range = values.greatest - values.least;
        if (!(range > 0.0) || !std::isfinite(range)) return;
        pixels_ = height_ / range;
        base_ = bottom_;
    }
    [[nodiscard]] float y(double value) const {
        const double above = (value - least_) * pixels_;
        if (!(above >= 0 && above <= height_)) return unusual_y(above);
        return static_cast<float>(column_in_sight(base_ - static_cast<float>(above)));
    }

private:
    [[nodiscard]] float unusual_y(double above) const {
        if (!std::isfinite(above)) return middle_;
        return pixel(bottom_ - static_cast<float>(std::clamp(above, 0.0, height_)));
    }

    double least_;
    double height_;
    double pixels_ = 0;  // of one; 0: all are the same, and stand in the middle
    float middle_;
    float bottom_;
    float base_;  // where the least stands
};

// Columns of several values: from the least to the greatest.
struct DenseValues : DenseMarks<timeline::ValueStep> {
    struct Look {
        float top;
        float height;
        bool operator==(const Look&) const = default;
    };
    [[nodiscard]] bool is_dense(std::size_t at) const { return at < marks.size() && marks[at].count > 1; }
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

// A line at each value until the next one that stands elsewhere, and an edge between them.
void paint_steps(Quads& quads, const LanePaint& paint, const Rect& body, const ValueScale& scale, int line, int end) {
    const auto& values = paint.picture.values;
    const auto thick = static_cast<float>(line);
    int begin = column(body.x + values.front().x);
    int covered = begin;  // by the edge that was drawn last
    float y = scale.y(values.front().value);
    const auto step_until = [&](int x) {
        if (x > covered) quads.add({static_cast<float>(begin), y, static_cast<float>(x - begin), thick}, paint.colour);
    };
    for (std::size_t i = 1; i < values.size(); ++i) {
        const float next = scale.y(values[i].value);
        if (next == y) continue;
        const int x = column_in_sight(body.x + values[i].x);
        step_until(x);
        quads.add({static_cast<float>(x), std::min(y, next), thick, std::abs(next - y) + thick}, paint.colour);
        begin = x;
        covered = x + line;
        y = next;
    }
    step_until(end);
}

void paint_values(Context& context, const LanePaint& paint, const Rect& body) {
    const auto& values = paint.picture.values;
    if (values.empty()) return;
    const int line = std::max(1, static_cast<int>(std::round(1.5F * context.layout.scale)));
    const auto end_tick = std::max(context.known_until(paint.lane), paint.lane.last_tick());
    const timeline::Viewport& port = context.view.port();
    const auto now_x = static_cast<float>(std::clamp(port.x_of(end_tick), -1.0, port.width()));
    Quads quads(context.list);
    const ValueScale scale(paint.values, body);
    const DenseValues dense{{quads, context, paint, body, values, 1}, scale, static_cast<float>(line)};
    for (std::size_t at = 0; at < values.size();) at = dense.is_dense(at) ? paint_range(dense, at) : at + 1;
    paint_steps(quads, paint, body, scale, line, column(body.x + now_x));
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
