// What all panels share for one frame. Built by App at the frame's start; no panel keeps it.
#pragma once

#include "viewer/timeline/lane_tree.h"
#include "viewer/ui/errors.h"
#include "viewer/ui/feed.h"
#include "viewer/ui/fonts.h"
#include "viewer/ui/lane_rates.h"
#include "viewer/ui/layout.h"
#include "viewer/ui/settings.h"
#include "viewer/ui/theme.h"
#include "viewer/ui/view.h"

#include <imgui.h>

#include <cmath>

namespace sla::ui {

// What panels and keys ask of the app, done at the end of the frame.
struct Requests {
    bool toggle_help = false;
    bool go_to = false;
    bool export_table = false;
    bool toggle_theme = false;
    bool toggle_run = false;
};

struct Context {
    Feed& feed;
    store::Session& session;
    View& view;
    Settings& settings;
    timeline::LaneTree& tree;
    LaneRates& rates;
    Errors& errors;
    Requests& requests;
    const Theme& theme;
    const Fonts& fonts;
    const Layout& layout;
    ImDrawList& list;
    FeedStatus status;
    double frame_ms = 0;  // CPU time of recent frames

    // The same for drawing into another window's list.
    [[nodiscard]] Context on(ImDrawList& other) {
        return {feed, session, view, settings, tree, rates, errors, requests, theme, fonts, layout, other, status, frame_ms};
    }
    [[nodiscard]] float px(float length) const { return std::round(length * layout.scale); }
    [[nodiscard]] float hair() const { return std::max(1.0F, std::floor(layout.scale)); }
    // The mouse's x in the lanes, when it is over them or the ruler.
    [[nodiscard]] bool mouse_in_lanes() const {
        const ImVec2 mouse = ImGui::GetIO().MousePos;
        return layout.lanes.contains(mouse) || layout.ruler.contains(mouse);
    }
    [[nodiscard]] double lanes_x(float screen_x) const { return static_cast<double>(screen_x - layout.lanes.x); }
};

}  // namespace sla::ui
