#include "viewer/ui/inspector/inspector.h"

#include "viewer/ui/widgets/paint.h"
#include "viewer/ui/widgets/widgets.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace sla::ui {

namespace {

constexpr float kLeastTabPadding = 4;  // so that two words are two

}  // namespace

void Inspector::draw(Context& context) {
    const Rect& panel = context.layout.inspector;
    const InspectorTab tab = context.document.panels.inspector_tab;
    if (panel.width <= 0 || tab != InspectorTab::kCounters) counters_.rest(context);
    if (panel.width <= 0 || tab != InspectorTab::kRegisters) registers_.rest(context);
    if (panel.width <= 0) return;
    fill(context.list, panel, context.theme.panel);
    fill(context.list, {panel.x, panel.y, context.hair(), panel.height}, context.theme.line);
    const Clip clip(context.list, panel);
    const Rect tabs{panel.x + context.px(8), panel.y, panel.width - context.px(16), context.px(32)};
    draw_tabs(context, tabs);
    const Rect inside{panel.x + context.px(16), tabs.bottom(), panel.width - context.px(28), panel.bottom() - tabs.bottom()};
    switch (tab) {
        case InspectorTab::kMeasure: draw_numbers(context, inside); break;
        case InspectorTab::kTrigger: trigger_.draw(context, inside); break;
        case InspectorTab::kAgent: agent_.draw(context, inside); break;
        case InspectorTab::kCounters: counters_.draw(context, inside); break;
        case InspectorTab::kRegisters: registers_.draw(context, inside); break;
    }
}

void Inspector::go_on_from(Inspector& before) {
    trigger_ = std::move(before.trigger_);
    agent_ = std::move(before.agent_);
    counters_ = std::move(before.counters_);
    registers_ = std::move(before.registers_);
}

void Inspector::draw_numbers(Context& context, const Rect& inside) {
    const Rect& panel = context.layout.inspector;
    float y = inside.y + draw_measure(context, inside);
    const auto divide = [&] {
        fill(context.list, {panel.x, y, panel.width, context.hair()}, context.theme.line);
        y += context.hair();
    };
    divide();
    y += statistics_.draw(context, {inside.x, y, inside.width, panel.bottom() - y});
    divide();
    const Rect rest{inside.x, y, panel.right() - inside.x, panel.bottom() - y};
    if (rest.height >= context.px(48)) channels_.draw(context, rest);
}

void Inspector::draw_tabs(Context& context, const Rect& place) {
    struct Look {
        const char* title;
        const char* brief;  // where there is little space
        InspectorTab tab;
        const char* tip;
    };
    constexpr std::array<Look, 5> kTabs{{
        {"MEASURE", "MEAS", InspectorTab::kMeasure, "Cursors, statistics of the focused lane, channels"},
        {"TRIGGER", "TRIG", InspectorTab::kTrigger, "What the agent watches for"},
        {"AGENT", "AGENT", InspectorTab::kAgent, "Its health, the clock's health, a channel's switch and filter"},
        {"COUNTERS", "COUNT", InspectorTab::kCounters, "What this machine or an emulated PC counts of a process"},
        {"REGS", "REGS", InspectorTab::kRegisters, "The registers of an emulated PC's CPU and chips"},
    }};
    const auto padding_of = [&](auto words) {
        float rest = place.width;
        for (const Look& look : kTabs) rest -= text_width(context.fonts.heading, look.*words);
        return rest / static_cast<float>(kTabs.size());
    };
    const bool is_narrow = padding_of(&Look::title) < context.px(kLeastTabPadding);
    const auto words = is_narrow ? &Look::brief : &Look::title;
    const float padding = std::max(0.0F, padding_of(words));
    float x = place.x;
    for (const Look& look : kTabs) {
        const float width = std::floor(text_width(context.fonts.heading, look.*words) + padding);
        const Rect at{x, place.y, width, place.height};
        x += width;
        const bool hovered = mouse_area(look.title, at);
        InspectorTab& shown = context.document.panels.inspector_tab;
        if (ImGui::IsItemClicked()) shown = look.tab;
        const bool open = shown == look.tab;
        draw_text(context.list, context.fonts.heading, at, open || hovered ? context.theme.text : context.theme.dim,
                  look.*words, Align::kCentre);
        if (open) {
            fill(context.list, {at.x + context.px(4), at.bottom() - context.px(2), at.width - context.px(8), context.px(2)},
                 context.theme.accent);
        }
        if (hovered) tooltip(context, look.tip);
    }
    const Rect& panel = context.layout.inspector;
    fill(context.list, {panel.x, place.bottom() - context.hair(), panel.width, context.hair()}, context.theme.line);
}

void draw_reading(Context& context, const Rect& line, std::string_view label, std::string_view value, ImU32 label_colour) {
    draw_text(context.list, context.fonts.text, line, label_colour, label);
    const float label_width = text_width(context.fonts.text, label) + context.px(8);
    draw_quantity(context.list, context.fonts.number, {line.x + label_width, line.y, line.width - label_width, line.height},
                  context.theme.text, context.theme.dim, value);
}

}  // namespace sla::ui
