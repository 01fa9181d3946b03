// Where every panel stands: plain arithmetic on a 4-pixel grid, so that tests can ask whether anything overlaps.
//
//   ┌────────────────────────── toolbar ──────────────────────────┐
//   ├────────────────────── error bar (if any) ───────────────────┤
//   ├──────────┬──────────────── minimap ─────────────┬───────────┤
//   │ head     ├──────────────── ruler ───────────────┤           │
//   ├──────────┼──────────────────────────────────────┤ inspector │
//   │ names    │ lanes                                │           │
//   ├──────────┴──────────────────────────────────────┤           │
//   │ tabs of the lower part                          │           │
//   │ table head, table                               │           │
//   ├─────────────────────────────────────────────────┴───────────┤
//   └────────────────────────── status ───────────────────────────┘
#pragma once

#include "viewer/workspace/view/appearance.h"

#include <imgui.h>

#include <array>

namespace sla::ui {

using namespace workspace;  // the window shows what the workspace holds

struct Rect {
    float x = 0;
    float y = 0;
    float width = 0;
    float height = 0;

    [[nodiscard]] float right() const { return x + width; }
    [[nodiscard]] float bottom() const { return y + height; }
    [[nodiscard]] ImVec2 min() const { return {x, y}; }
    [[nodiscard]] ImVec2 max() const { return {x + width, y + height}; }
    [[nodiscard]] ImVec2 size() const { return {width, height}; }
    [[nodiscard]] bool contains(ImVec2 point) const {
        return point.x >= x && point.x < right() && point.y >= y && point.y < bottom();
    }
    [[nodiscard]] Rect inset(float horizontal, float vertical) const {
        return {x + horizontal, y + vertical, width - 2 * horizontal, height - 2 * vertical};
    }
};

struct Layout {
    float scale = 1;
    Rect window, toolbar, error_bar, names_head, minimap, ruler, names, lanes, inspector, tabs, table, status;
    Rect tab_line;  // below the tabs, for what belongs to one of them, where the window is too narrow for both in a line
    Rect split_names, split_inspector, split_table;
    bool inspector_fits = false;  // beside lanes of good size
    bool table_fits = false;

    // All panels that have an area; they tile the window without overlap.
    [[nodiscard]] std::array<Rect, 12> panels() const {
        return {toolbar, error_bar, names_head, minimap, ruler, names, lanes, inspector, tabs, tab_line, table, status};
    }
};

// The two panes of a layout that is split: each with a ruler of its own over its lanes; the minimap stays with the first.
std::array<Layout, 2> split_panes(const Layout& whole);

// Splits are kept within what the window can show; in a small window the inspector's and the table's space goes first,
// unless the person asked for it; in a low one then the minimap's and the status bar's.
Layout make_layout(ImVec2 window, float scale, const Splits& splits, bool has_error);

// In a smaller one there may be no lane to see.
ImVec2 least_window(float scale);

}  // namespace sla::ui
