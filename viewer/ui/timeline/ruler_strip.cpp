#include "viewer/ui/timeline/ruler_strip.h"

#include "viewer/timeline/readable.h"
#include "viewer/ui/timeline/ruler_tags.h"
#include "viewer/ui/widgets/paint.h"

#include <algorithm>
#include <optional>
#include <string>

namespace sla::ui {

namespace {

// How fine a time under the mouse or a cursor can be read at this zoom.
std::int64_t resolution_ps(const Context& context) {
    const double ps = context.view.port().ticks_per_pixel() * 1e12 / context.session.clock().ticks_per_second();
    std::int64_t step = 1'000;
    while (static_cast<double>(step) * 10 <= ps) step *= 10;
    return step;
}

// Where the time under the mouse stands, and what it says.
struct MouseTime {
    Rect tag;
    std::string text;
};

std::optional<MouseTime> mouse_time_of(const Context& context) {
    if (!context.mouse_in_lanes() || context.session.lanes().empty()) return std::nullopt;
    const Rect& strip = context.layout.ruler;
    const float mouse = ImGui::GetIO().MousePos.x;
    const std::uint64_t tick = context.view.port().tick_at(context.lanes_x(mouse));
    const std::string text = timeline::readable_time(context.time_ps(tick), resolution_ps(context));
    const float width = text_width(context.fonts.small_number, text) + 2 * context.px(5);  // as it is inset
    const float x = std::clamp(std::floor(mouse - width / 2), strip.x, std::max(strip.x, strip.right() - width));
    return MouseTime{{x, strip.y + context.px(1), width, context.px(17)}, text};
}

void draw_mouse_time(Context& context, const MouseTime& time) {
    fill(context.list, time.tag, context.theme.raised, context.px(3));
    draw_quantity(context.list, context.fonts.small_number, time.tag.inset(context.px(5), 0), context.theme.text,
                  context.theme.dim, time.text);
}

// Of the range of the axis that begins with the tick `first`, between two pixels.
timeline::Ruler ruler_between(const Context& context, std::uint64_t first, double x0, double x1) {
    timeline::RulerScale scale;
    scale.ps_per_pixel = context.view.port().ticks_per_pixel() * 1e12 / context.session.clock().ticks_per_second();
    scale.first_ps = context.time_ps(first);
    scale.first_ps -= static_cast<std::int64_t>((context.view.port().x_of(first) - x0) * scale.ps_per_pixel);
    scale.width = x1 - x0;
    return make_ruler(scale, text_width(context.fonts.small_number, "0"));
}

}  // namespace

timeline::Ruler ruler_of(const Context& context) {
    const timeline::Viewport& port = context.view.port();
    const std::uint64_t left = port.first_tick_from(0.0);
    if (port.folds() == nullptr) return ruler_between(context, left, 0, port.width());
    // Between two breaks time runs evenly: each such piece has a ruler of its own.
    timeline::Ruler whole;
    std::uint64_t first = left;
    double x = 0;
    const auto add = [&](double until) {
        timeline::Ruler piece = ruler_between(context, first, x, until);
        if (whole.marks.empty()) {
            whole.base = piece.base;
            whole.step_ps = piece.step_ps;
        } else if (!piece.base.empty()) {
            whole.marks.push_back({x, true, true, piece.base});
        }
        for (timeline::RulerMark& mark : piece.marks) {
            mark.x += x;
            if (mark.x < x) continue;  // before the break
            whole.marks.push_back(std::move(mark));
        }
    };
    for (const timeline::TickRange& fold : port.folds()->intervals()) {
        const double at = port.x_of(fold.first);
        if (at <= x) {
            if (fold.last > first && at >= 0) first = fold.last;
            continue;
        }
        if (at >= port.width()) break;
        add(at);
        x = at;
        first = fold.last;
    }
    add(port.width());
    return whole;
}

void draw_ruler(Context& context, const timeline::Ruler& ruler) {
    const Rect& strip = context.layout.ruler;
    const Theme& theme = context.theme;
    fill(context.list, strip, theme.panel);
    const Clip clip(context.list, strip);
    const ImFont* font = context.fonts.small_number;
    const float label_height = font->FontSize + context.px(4);
    float taken = strip.x;
    const std::optional<MouseTime> mouse = mouse_time_of(context);
    // A label half below the time under the mouse could be misread.
    const auto below_mouse = [&](float from, float until) {
        return mouse && from < mouse->tag.right() + context.px(3) && until > mouse->tag.x - context.px(3);
    };
    if (!ruler.base.empty() && !below_mouse(strip.x, strip.x + context.px(6) + text_width(font, ruler.base))) {
        const float width = text_width(font, ruler.base);
        draw_quantity(context.list, font, {strip.x + context.px(6), strip.y, width, label_height}, theme.text, theme.dim,
                      ruler.base, Align::kLeft);
        taken = strip.x + width + context.px(14);
    }
    for (const timeline::RulerMark& mark : ruler.marks) {
        const auto x = std::floor(strip.x + static_cast<float>(mark.x));
        const float length = context.px(mark.base ? 10 : mark.major ? 7 : 4);
        fill(context.list, {x, strip.bottom() - length, context.hair(), length},
             mark.major ? theme.dim : faded(theme.dim, 0.5F));
        if (!mark.major) continue;
        const float width = text_width(font, mark.label);
        const float left = std::floor(x - width / 2);
        if (left < taken || left + width > strip.right() || below_mouse(left, left + width)) continue;
        draw_quantity(context.list, font, {left, strip.y, width, label_height}, theme.text, theme.dim, mark.label,
                      Align::kLeft);
        taken = left + width + context.px(8);
    }
    draw_ruler_tags(context);
    if (mouse) draw_mouse_time(context, *mouse);
    line_below(context.list, strip, theme.line, context.hair());
}

}  // namespace sla::ui
