#include "viewer/ui/inspector.h"

#include "viewer/timeline/readable.h"
#include "viewer/ui/paint.h"
#include "viewer/ui/widgets.h"

#include <fmt/format.h>

namespace sla::ui {

void Inspector::draw(Context& context) {
    const Rect& panel = context.layout.inspector;
    if (panel.width <= 0) return;
    fill(context.list, panel, context.theme.panel);
    fill(context.list, {panel.x, panel.y, context.hair(), panel.height}, context.theme.line);
    const Clip clip(context.list, panel);
    const Rect inside{panel.x + context.px(16), panel.y, panel.width - context.px(28), panel.height};
    float y = panel.y + draw_measure(context, inside);
    const auto divide = [&] {
        fill(context.list, {panel.x, y, panel.width, context.hair()}, context.theme.line);
        y += context.hair();
    };
    divide();
    y += statistics_.draw(context, {inside.x, y, inside.width, panel.bottom() - y});
    divide();
    const Rect tabs{panel.x + context.px(8), y, panel.width - context.px(16), context.px(32)};
    draw_tabs(context, tabs);
    const Rect rest{inside.x, tabs.bottom(), panel.right() - inside.x, panel.bottom() - tabs.bottom()};
    if (rest.height < context.px(20)) return;
    if (tab_ == Tab::kChannels) {
        channels_.draw(context, rest);
    } else {
        gaps_.draw(context, rest);
    }
}

void Inspector::draw_tabs(Context& context, const Rect& place) {
    std::size_t gaps = 0;
    for (const store::Lane* lane : context.session.lanes()) gaps += lane->gaps().size();
    const std::string gap_title = gaps == 0 ? std::string("GAPS") : fmt::format("GAPS  {}", timeline::grouped(gaps));
    const auto tab = [&](const char* id, const Rect& at, std::string_view title, Tab which, ImU32 colour) {
        const bool hovered = mouse_area(id, at);
        if (ImGui::IsItemClicked()) tab_ = which;
        const bool open = tab_ == which;
        const ImU32 text = open ? context.theme.text : hovered ? context.theme.text : colour;
        draw_text(context.list, context.fonts.heading, at, text, title, Align::kCentre);
        if (open) fill(context.list, {at.x, at.bottom() - context.px(2), at.width, context.px(2)}, context.theme.accent);
    };
    const float half = std::floor(place.width / 2);
    tab("channels tab", {place.x, place.y, half, place.height}, "CHANNELS", Tab::kChannels, context.theme.dim);
    tab("gaps tab", {place.x + half, place.y, half, place.height}, gap_title, Tab::kGaps,
        gaps > 0 ? context.theme.loss : context.theme.dim);
    const Rect& panel = context.layout.inspector;
    fill(context.list, {panel.x, place.bottom() - context.hair(), panel.width, context.hair()},
         faded(context.theme.line, 0.8F));
}

void draw_reading(Context& context, const Rect& line, std::string_view label, std::string_view value, ImU32 label_colour) {
    draw_text(context.list, context.fonts.text, line, label_colour, label);
    const float label_width = text_width(context.fonts.text, label) + context.px(8);
    draw_quantity(context.list, context.fonts.number, {line.x + label_width, line.y, line.width - label_width, line.height},
                  context.theme.text, context.theme.dim, value);
}

}  // namespace sla::ui
