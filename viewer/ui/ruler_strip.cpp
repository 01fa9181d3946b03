#include "viewer/ui/ruler_strip.h"

#include "viewer/timeline/readable.h"
#include "viewer/ui/paint.h"

#include <algorithm>

namespace sla::ui {

namespace {

// How fine a time under the mouse or a cursor can be told at this zoom.
std::int64_t resolution_ps(const Context& context) {
    const double ps = context.view.port().ticks_per_pixel() * 1e12 / context.session.clock().ticks_per_second();
    std::int64_t step = 1'000;
    while (static_cast<double>(step) * 10 <= ps) step *= 10;
    return step;
}

constexpr float kFlag = 16;

float flag_x(const Context& context, std::uint64_t tick) {
    return std::floor(context.layout.ruler.x + static_cast<float>(context.view.port().x_of(tick)));
}

void draw_flag(Context& context, float x, float aside, const char* name, ImU32 colour) {
    const Rect& strip = context.layout.ruler;
    if (x < strip.x - context.px(8) || x > strip.right() + context.px(8)) return;
    const float width = context.px(kFlag);
    const Rect flag{x - std::floor(width / 2) + aside, strip.bottom() - context.px(15), width, context.px(15)};
    fill(context.list, flag, colour, context.px(3));
    draw_text(context.list, context.fonts.heading, flag, context.theme.on_cursor, name, Align::kCentre);
}

// Centred above their lines; side by side where one would hide the other.
void draw_flags(Context& context) {
    const timeline::CursorPair& cursors = context.view.cursors;
    const float a = cursors.a ? flag_x(context, cursors.a->tick) : 0;
    const float b = cursors.b ? flag_x(context, cursors.b->tick) : 0;
    const float hidden = cursors.a && cursors.b ? std::max(context.px(kFlag) - std::abs(b - a), 0.0F) : 0;
    const float aside = std::ceil(hidden / 2) * (a <= b ? 1.0F : -1.0F);
    if (cursors.a) draw_flag(context, a, -aside, "A", context.theme.cursor_a);
    if (cursors.b) draw_flag(context, b, aside, "B", context.theme.cursor_b);
}

// A line from A to B below the labels, with the Δ in its middle.
void draw_delta(Context& context) {
    const auto measured = timeline::measure(context.view.cursors, context.session.clock());
    if (!measured) return;
    const Rect& strip = context.layout.ruler;
    const timeline::Viewport& port = context.view.port();
    const auto [first, last] = std::minmax(context.view.cursors.a->tick, context.view.cursors.b->tick);
    const float x0 = std::max(strip.x, std::floor(strip.x + static_cast<float>(port.x_of(first))));
    const float x1 = std::min(strip.right(), std::floor(strip.x + static_cast<float>(port.x_of(last))));
    const ImFont* font = context.fonts.small_number;
    const std::string text = "\xCE\x94 " + timeline::readable_delta(measured->ps);
    const float width = text_width(font, text) + context.px(12);
    const Rect row{x0, strip.bottom() - context.px(15), x1 - x0, context.px(15)};
    if (row.width < width + context.px(24)) return;
    fill(context.list, row, mixed(context.theme.panel, context.theme.accent, 0.12F));
    draw_quantity(context.list, font, {std::floor(row.x + (row.width - width) / 2), row.y, width, row.height},
                  context.theme.text, context.theme.dim, text, Align::kCentre);
}

// A small tag with a name, its left edge at the tick: the line goes on through the lanes.
void draw_tag(Context& context, std::uint64_t tick, const std::string& name, ImU32 colour, ImU32 text) {
    const Rect& strip = context.layout.ruler;
    const auto x = std::floor(strip.x + static_cast<float>(context.view.port().x_of(tick)));
    if (x < strip.x - context.px(120) || x > strip.right()) return;
    const ImFont* font = context.fonts.small_number;
    const Rect tag{x, strip.bottom() - context.px(15), text_width(font, name) + context.px(8), context.px(14)};
    fill(context.list, tag, colour, context.px(2));
    draw_text(context.list, font, tag, text, name, Align::kCentre);
}

// How much each axis break took out, where there is room to say it.
void draw_break_lengths(Context& context) {
    const timeline::Viewport& port = context.view.port();
    if (port.folds() == nullptr) return;
    const Rect& strip = context.layout.ruler;
    const ImFont* font = context.fonts.small_number;
    float taken = strip.x;
    for (const timeline::TickRange& fold : port.folds()->stretches()) {
        const auto x = std::floor(strip.x + static_cast<float>(port.x_of(fold.first)));
        const auto ticks = static_cast<std::int64_t>(fold.length());
        const std::string text = timeline::readable_delta(context.session.clock().ticks_to_ps(ticks));
        const float width = text_width(font, text) + context.px(10);
        const Rect tag{std::floor(x - width / 2), strip.bottom() - context.px(16), width, context.px(15)};
        if (tag.x < taken || tag.right() > strip.right()) continue;
        taken = tag.right() + context.px(4);
        fill(context.list, tag, context.theme.raised, context.px(3));
        draw_text(context.list, font, tag, context.theme.dim, text, Align::kCentre);
    }
}

// Markers, bookmarks, kept ranges and t = 0. The newest lie on top.
void draw_notes(Context& context) {
    const Notes& notes = context.view.notes;
    const Theme& theme = context.theme;
    const ImU32 calm = mixed(theme.panel, theme.text, 0.25F);
    for (const auto& [digit, mark] : notes.bookmarks) {
        const std::uint64_t middle = mark.range.first + mark.range.length() / 2;
        draw_tag(context, middle, std::to_string(digit) + (mark.note.empty() ? "" : " " + mark.note), faded(calm, 0.6F),
                 theme.dim);
    }
    for (const KeptRange& range : notes.ranges) {
        const auto away = static_cast<std::int64_t>(range.to - range.from);
        const std::string length = timeline::readable_delta(context.session.clock().ticks_to_ps(away));
        draw_tag(context, range.from, range.name + "  " + length, calm, theme.text);
    }
    for (const Marker& marker : notes.markers) draw_tag(context, marker.tick, marker.name, calm, theme.text);
    if (notes.zero) draw_tag(context, *notes.zero, "0", theme.trigger, theme.on_cursor);
}

void draw_mouse_time(Context& context) {
    if (!context.mouse_in_lanes() || context.session.lanes().empty()) return;
    const Rect& strip = context.layout.ruler;
    const float mouse = ImGui::GetIO().MousePos.x;
    const std::uint64_t tick = context.view.port().tick_at(context.lanes_x(mouse));
    const std::string text = timeline::readable_time(context.time_ps(tick), resolution_ps(context));
    const float width = text_width(context.fonts.small_number, text) + context.px(10);
    const float x = std::clamp(std::floor(mouse - width / 2), strip.x, std::max(strip.x, strip.right() - width));
    const Rect tag{x, strip.y + context.px(1), width, context.px(17)};
    fill(context.list, tag, context.theme.raised, context.px(3));
    draw_quantity(context.list, context.fonts.small_number, tag.inset(context.px(5), 0), context.theme.text,
                  context.theme.dim, text);
}

// Of the stretch of axis that begins with the tick `first`, between two pixels.
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
    for (const timeline::TickRange& fold : port.folds()->stretches()) {
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
    if (!ruler.base.empty()) {
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
        if (left < taken || left + width > strip.right()) continue;
        draw_quantity(context.list, font, {left, strip.y, width, label_height}, theme.text, theme.dim, mark.label,
                      Align::kLeft);
        taken = left + width + context.px(8);
    }
    draw_break_lengths(context);
    draw_notes(context);
    draw_delta(context);
    draw_mouse_time(context);
    draw_flags(context);
    line_below(context.list, strip, theme.line, context.hair());
}

}  // namespace sla::ui
