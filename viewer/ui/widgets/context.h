// What all panels share for one frame. Built by App at the frame's start; no panel keeps it.
#pragma once

#include "viewer/timeline/lanes/lane_tree.h"
#include "viewer/ui/widgets/command_queue.h"
#include "viewer/ui/widgets/fonts.h"
#include "viewer/ui/widgets/layout.h"
#include "viewer/ui/widgets/theme.h"
#include "viewer/workspace/document.h"
#include "viewer/workspace/settings.h"
#include "viewer/workspace/source/data_source.h"
#include "viewer/workspace/source/errors.h"
#include "viewer/workspace/source/lane_rates.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace sla::ui {

class Keymap;

struct Context {
    Document& document;
    DataSource& source;
    store::Session& session;
    View& view;
    Marks& marks;
    Settings& settings;
    const Keymap& keys;
    timeline::LaneTree& tree;
    LaneRates& rates;
    Errors& errors;
    CommandQueue& commands;
    const Theme& theme;
    const Fonts& fonts;
    const Layout& layout;
    ImDrawList& list;
    SourceStatus status;
    double frame_ms = 0;  // CPU time of recent frames; 0: not shown

    // The same for drawing into another window's list, or another pane.
    [[nodiscard]] Context on(ImDrawList& other) { return with(view, layout, other); }
    [[nodiscard]] Context with(View& other_view, const Layout& other_layout, ImDrawList& other) {
        return {document, source,   session, other_view, marks,        settings, keys,   tree,    rates,
                errors,   commands, theme,   fonts,      other_layout, other,    status, frame_ms};
    }
    // A tick as people read it: since t = 0.
    [[nodiscard]] std::int64_t time_ps(std::uint64_t tick) const {
        return session.clock().to_ps(tick) - marks.zero_ps(session);
    }
    // What statistics and pairs are counted of: between the cursors when both stand, else what is in view.
    [[nodiscard]] timeline::TickRange measured_range() const {
        const timeline::CursorPair& cursors = marks.cursors;
        if (!cursors.a || !cursors.b) return view.port().visible();
        return {std::min(cursors.a->tick, cursors.b->tick), std::max(cursors.a->tick, cursors.b->tick)};
    }
    // More rows may come there.
    [[nodiscard]] bool is_growing_in(const timeline::TickRange& range) const {
        return status.state == SourceState::kLive && range.last > session.final_tick();
    }
    // A lane is drawn so many ticks later than it happened.
    [[nodiscard]] std::int64_t offset_of(const store::Lane& lane) const { return tree.style_of(lane).offset_ticks; }
    [[nodiscard]] timeline::Viewport port_of(const store::Lane& lane) const { return view.port().shifted(-offset_of(lane)); }
    // Levels, values and open spans of the lane are known until then.
    [[nodiscard]] std::uint64_t known_until(const store::Lane& lane) const {
        return document.gone.known_until(lane, view.now());
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
