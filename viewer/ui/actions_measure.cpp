// Actions that measure: cursors, markers, t = 0.
#include "viewer/ui/actions.h"
#include "viewer/ui/hindrances.h"

#include <array>

namespace sla::ui {

namespace {

// Under the mouse, snapped to an edge; with the mouse elsewhere the selected event, else the middle.
timeline::Cursor here(Context& context) {
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    if (context.mouse_in_lanes()) return cursor_at(context, mouse.x, mouse.y);
    if (context.view.selection) {
        const Selection& selection = *context.view.selection;
        const std::int64_t offset = selection.lane == nullptr ? 0 : context.offset_of(*selection.lane);
        return {selection.tick + static_cast<std::uint64_t>(offset), true};
    }
    return {context.view.port().tick_at(context.view.port().width() / 2), false};
}

void stick(Context& context, CursorName name) {
    if (context.view.stuck == name) {
        context.view.stuck.reset();
        return;
    }
    // Two keys place two cursors: the one that still moves with the mouse stands where its own key was pressed.
    if (context.view.stuck) context.view.cursor(*context.view.stuck) = context.view.stuck_from;
    context.view.stuck.reset();
    // With the mouse over the lanes the cursor goes on with it, else it stands at once.
    if (context.mouse_in_lanes()) context.view.stuck = name;
    context.view.stuck_from = here(context);
    context.view.cursor(name) = context.view.stuck_from;
}

void drop_cursor(Context& context) {
    View& view = context.view;
    if (view.stuck) {
        view.cursor(*view.stuck).reset();
        view.stuck.reset();
    } else if (view.cursors.b) {
        view.cursors.b.reset();
    } else if (view.cursors.a) {
        view.cursors.a.reset();
    } else {
        view.selection.reset();
    }
}

void add_marker(Context& context) {
    Notes& notes = context.view.notes;
    notes.markers.push_back({notes.free_name("M"), here(context).tick});
}

void keep_range(Context& context) {
    Notes& notes = context.view.notes;
    const timeline::CursorPair& cursors = context.view.cursors;
    notes.ranges.push_back({notes.free_name("R"), cursors.a->tick, cursors.b->tick});
}

const char* without_markers(const Context& c) {
    return marker_lines(c).empty() ? "There is no cursor, no marker and no kept range: press M over the lanes" : nullptr;
}

const char* without_chosen_marker(const Context& c) {
    return c.desk.drawer.markers().chosen(c) ? nullptr : "No marker is chosen: press ] or [, or click one in the list";
}

void rename_marker(Context& c) {
    run_action(c, "markers");
    c.desk.drawer.markers().rename(*c.desk.drawer.markers().chosen(c));
}

void zero_at_cursor(Context& c) {
    c.view.notes.zero = c.view.cursors.a->tick;
}

constexpr std::array kMeasureActions{
    Action{"cursor-a", "Measure", "Cursor A to the mouse; a click places it", "1",
           [](Context& c) { stick(c, CursorName::kA); }, without_lanes,
           [](const Context& c) { return c.view.cursors.a.has_value(); }},
    Action{"cursor-b", "Measure", "Cursor B to the mouse; a click places it", "2",
           [](Context& c) { stick(c, CursorName::kB); }, without_lanes,
           [](const Context& c) { return c.view.cursors.b.has_value(); }},
    Action{"drop-cursor", "Measure", "Drop the sticking cursor, then B, then A", "Escape", drop_cursor, nullptr, nullptr},
    Action{"marker", "Measure", "Set a marker at the mouse, or the selected event", "M", add_marker, without_lanes, nullptr},
    Action{"keep-range", "Measure", "Keep what lies between A and B as a range", "Shift+M", keep_range, without_both,
           nullptr},
    Action{"next-marker", "Measure", "Next cursor, marker or kept range", "]",
           [](Context& c) { c.desk.drawer.markers().step(c, true); }, without_markers, nullptr},
    Action{"previous-marker", "Measure", "Previous cursor, marker or kept range", "[",
           [](Context& c) { c.desk.drawer.markers().step(c, false); }, without_markers, nullptr},
    Action{"rename-marker", "Measure", "Rename the chosen marker or range\xE2\x80\xA6", "", rename_marker,
           without_chosen_marker, nullptr},
    Action{"delete-marker", "Measure", "Delete the chosen marker or range", "Delete",
           [](Context& c) { MarkerList::remove(c, *c.desk.drawer.markers().chosen(c)); }, without_chosen_marker, nullptr},
    Action{"zero-here", "Measure", "Count times from the mouse, or the selected event  (t = 0)", "O",
           [](Context& c) { c.view.notes.zero = here(c).tick; }, without_lanes, nullptr},
    Action{"zero-at-a", "Measure", "Count times from cursor A", "Ctrl+A", zero_at_cursor, without_a, nullptr},
    Action{"zero-at-start", "Measure", "Count times from the capture's start", "Shift+O",
           [](Context& c) { c.view.notes.zero.reset(); },
           [](const Context& c) { return c.view.notes.zero ? nullptr : "Times are counted from the start already"; },
           nullptr},
    Action{"pairs", "Measure", "List the pairs from one lane to another", "Ctrl+P",
           [](Context& c) {
               if (c.view.focus != nullptr) c.desk.drawer.pairs().set_from(c.tree.key_of(*c.view.focus));
               c.settings.splits.show_table();
               c.desk.drawer.show(DrawerTab::kPairs);
           },
           nullptr, nullptr},
    Action{"subtract-overhead", "Measure", "Statistics: subtract the width of an empty section", "",
           [](Context& c) { c.desk.counting.subtract_overhead = !c.desk.counting.subtract_overhead; }, nullptr,
           [](const Context& c) { return c.desk.counting.subtract_overhead; }},
    Action{"cull-outliers", "Measure", "Statistics: leave outliers out", "",
           [](Context& c) { c.desk.counting.cull = !c.desk.counting.cull; }, nullptr,
           [](const Context& c) { return c.desk.counting.cull; }},
    Action{"even-bars", "Measure", "Histogram: bars of equal width, or of equal ratio (log x)", "",
           [](Context& c) { c.desk.counting.even_bars = !c.desk.counting.even_bars; }, nullptr,
           [](const Context& c) { return c.desk.counting.even_bars; }},
    Action{"plain-counts", "Measure", "Histogram: bars high as their count, or its logarithm (log y)", "",
           [](Context& c) { c.desk.counting.plain_counts = !c.desk.counting.plain_counts; }, nullptr,
           [](const Context& c) { return c.desk.counting.plain_counts; }},
    Action{"clear-markers", "Measure", "Delete all markers and kept ranges", "",
           [](Context& c) {
               c.view.notes.markers.clear();
               c.view.notes.ranges.clear();
           },
           [](const Context& c) {
               const bool any = !c.view.notes.markers.empty() || !c.view.notes.ranges.empty();
               return any ? nullptr : "There is no marker and no kept range";
           },
           nullptr},
};

}  // namespace

std::span<const Action> measure_actions() {
    return kMeasureActions;
}

}  // namespace sla::ui
