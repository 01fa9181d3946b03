// The window's colours, in one place. Everything drawn takes its colour from here, so that both themes stay whole.
#pragma once

#include "viewer/timeline/lanes/lane_hues.h"
#include "viewer/workspace/view/appearance.h"

#include <imgui.h>

#include <array>
#include <cstddef>

namespace sla::ui {

using namespace workspace;

struct Theme {
    ThemeName name = ThemeName::kDark;
    ImU32 background;  // behind lanes and table
    ImU32 panel;       // toolbar, names, instruments, status
    ImU32 raised;      // buttons, the hovered row
    ImU32 line;        // between panels
    ImU32 grid;        // time grid behind the lanes
    ImU32 stripe;      // every other table row
    ImU32 text;
    ImU32 dim;  // units, labels, what is not the point
    ImU32 accent;
    ImU32 selection;  // the selected row or lane, under text
    ImU32 cursor_a;
    ImU32 cursor_b;
    ImU32 on_cursor;  // text on a cursor's label
    ImU32 trigger;
    ImU32 loss;
    ImU32 hit;  // what the search found
    ImU32 live;
    ImU32 stopped;
    ImU32 error_bar;
    ImU32 on_error;
    ImU32 warning_bar;
    ImU32 on_warning;
    std::array<ImU32, timeline::kHues> lanes;                                  // Okabe and Ito's colours, one hue a group
    std::array<std::array<ImU32, timeline::kHues>, timeline::kShades> shades;  // the same, then lighter and darker ones

    // See timeline/lanes/lane_hues.h.
    [[nodiscard]] ImU32 lane(std::size_t hue) const {
        return shades[hue / timeline::kHues % timeline::kShades][hue % timeline::kHues];
    }
};

const Theme& theme_of(ThemeName name);
// The same colour with its opacity multiplied.
ImU32 faded(ImU32 colour, float opacity);
// A colour between two, t 0 is the first.
ImU32 mixed(ImU32 first, ImU32 second, float t);
// ImGui's own widgets (buttons, fields, tooltips) in the theme's colours and our metrics.
void apply_theme(const Theme& theme, float scale);

}  // namespace sla::ui
