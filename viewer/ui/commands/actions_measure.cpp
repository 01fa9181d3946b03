// Actions that measure: cursors, markers, t = 0.
#include "viewer/ui/commands/actions.h"
#include "viewer/ui/commands/markers.h"
#include "viewer/ui/commands/navigation.h"
#include "viewer/ui/commands/preconditions.h"

#include <array>

namespace sla::ui {

namespace {

// Under the mouse, snapped to an edge; with the mouse elsewhere the selected event, else the middle.
timeline::Cursor here(Context& context) {
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    if (context.mouse_in_lanes()) return cursor_at(context, mouse.x, mouse.y);
    if (context.marks.selection) {
        const Selection& selection = *context.marks.selection;
        if (selection.lane == nullptr) return {selection.tick, true};
        const std::int64_t offset = context.offset_of(*selection.lane);
        return {selection.tick + static_cast<std::uint64_t>(offset), true, context.session.host_id_of(*selection.lane)};
    }
    return {context.view.port().tick_at(context.view.port().width() / 2), false};
}

void stick(Context& context, CursorName name) {
    if (context.marks.follows_mouse == name) {
        context.marks.follows_mouse.reset();
        return;
    }
    // Two keys place two cursors: the one that still moves with the mouse stands where its own key was pressed.
    if (context.marks.follows_mouse) context.marks.cursor(*context.marks.follows_mouse) = context.marks.follows_from;
    context.marks.follows_mouse.reset();
    // With the mouse over the lanes the cursor goes on with it, else it stands at once.
    if (context.mouse_in_lanes()) context.marks.follows_mouse = name;
    context.marks.follows_from = here(context);
    context.marks.cursor(name) = context.marks.follows_from;
}

void drop_cursor(Context& context) {
    Marks& marks = context.marks;
    if (marks.follows_mouse) {
        marks.cursor(*marks.follows_mouse).reset();
        marks.follows_mouse.reset();
    } else if (marks.cursors.b) {
        marks.cursors.b.reset();
    } else if (marks.cursors.a) {
        marks.cursors.a.reset();
    } else {
        marks.selection.reset();
    }
}

void add_marker(Context& context) {
    Annotations& notes = context.marks.annotations;
    notes.markers.push_back({notes.free_name("M"), here(context).tick});
}

void keep_range(Context& context) {
    Annotations& notes = context.marks.annotations;
    const timeline::CursorPair& cursors = context.marks.cursors;
    notes.ranges.push_back({notes.free_name("R"), cursors.a->tick, cursors.b->tick});
}

const char* without_markers(const Context& c) {
    return marker_lines(c).empty() ? "There is no cursor, no marker and no kept range: press {marker} over the lanes"
                                   : nullptr;
}

const char* without_chosen_marker(const Context& c) {
    return chosen_marker(c) ? nullptr
                            : "No marker is chosen: press {next-marker} or {previous-marker}, or click one in the list";
}

void rename_marker(Context& c) {
    run_action(c, "markers");
    c.document.panels.rename_marker = true;
}

void zero_at_cursor(Context& c) {
    c.marks.annotations.zero = c.marks.cursors.a->tick;
}

constexpr std::array kMeasureActions{
    Action{"cursor-a", "Measure", "Cursor A to the mouse; a click places it", "1",
           [](Context& c) { stick(c, CursorName::kA); }, without_lanes,
           [](const Context& c) { return c.marks.cursors.a.has_value(); }},
    Action{"cursor-b", "Measure", "Cursor B to the mouse; a click places it", "2",
           [](Context& c) { stick(c, CursorName::kB); }, without_lanes,
           [](const Context& c) { return c.marks.cursors.b.has_value(); }},
    Action{"drop-cursor", "Measure", "Drop the sticking cursor, then B, then A", "Escape", drop_cursor, nullptr, nullptr},
    Action{"marker", "Measure", "Set a marker at the mouse, or the selected event", "M", add_marker, without_lanes, nullptr},
    Action{"keep-range", "Measure", "Keep what lies between A and B as a range", "Shift+M", keep_range, without_both,
           nullptr},
    Action{"next-marker", "Measure", "Next cursor, marker or kept range", "]", [](Context& c) { step_marker(c, true); },
           without_markers, nullptr},
    Action{"previous-marker", "Measure", "Previous cursor, marker or kept range", "[",
           [](Context& c) { step_marker(c, false); }, without_markers, nullptr},
    Action{"rename-marker", "Measure", "Rename the chosen marker or range\xE2\x80\xA6", "", rename_marker,
           without_chosen_marker, nullptr},
    Action{"delete-marker", "Measure", "Delete the chosen marker or range", "Delete",
           [](Context& c) { remove_marker(c, chosen_marker(c)->ref); }, without_chosen_marker, nullptr},
    Action{"zero-here", "Measure", "Count times from the mouse, or the selected event  (t = 0)", "O",
           [](Context& c) { c.marks.annotations.zero = here(c).tick; }, without_lanes, nullptr},
    Action{"zero-at-a", "Measure", "Count times from cursor A", "Ctrl+A", zero_at_cursor, without_a, nullptr},
    Action{"zero-at-start", "Measure", "Count times from the capture's start", "Shift+O",
           [](Context& c) { c.marks.annotations.zero.reset(); },
           [](const Context& c) { return c.marks.annotations.zero ? nullptr : "Times are counted from the start already"; },
           nullptr},
    Action{"pairs", "Measure", "List the pairs from one lane to another", "Ctrl+P",
           [](Context& c) {
               if (c.marks.focus != nullptr) c.document.panels.pair_from = c.tree.key_of(*c.marks.focus);
               show_tab(c, BottomTab::kPairs);
           },
           nullptr, nullptr},
    Action{"subtract-overhead", "Measure", "Statistics: subtract the width of an empty section", "",
           [](Context& c) {
               c.document.statistics_options.subtract_overhead = !c.document.statistics_options.subtract_overhead;
           },
           nullptr, [](const Context& c) { return c.document.statistics_options.subtract_overhead; }},
    Action{"cull-outliers", "Measure", "Statistics: leave outliers out", "",
           [](Context& c) { c.document.statistics_options.cull = !c.document.statistics_options.cull; }, nullptr,
           [](const Context& c) { return c.document.statistics_options.cull; }},
    Action{"even-bars", "Measure", "Histogram: bars of equal width, or of equal ratio (log x)", "",
           [](Context& c) { c.document.statistics_options.even_bars = !c.document.statistics_options.even_bars; }, nullptr,
           [](const Context& c) { return c.document.statistics_options.even_bars; }},
    Action{"plain-counts", "Measure", "Histogram: bars high as their count, or its logarithm (log y)", "",
           [](Context& c) { c.document.statistics_options.plain_counts = !c.document.statistics_options.plain_counts; },
           nullptr, [](const Context& c) { return c.document.statistics_options.plain_counts; }},
    Action{"clear-markers", "Measure", "Delete all markers and kept ranges", "",
           [](Context& c) {
               c.marks.annotations.markers.clear();
               c.marks.annotations.ranges.clear();
           },
           [](const Context& c) {
               const bool any = !c.marks.annotations.markers.empty() || !c.marks.annotations.ranges.empty();
               return any ? nullptr : "There is no marker and no kept range";
           },
           nullptr},
};

}  // namespace

std::span<const Action> measure_actions() {
    return kMeasureActions;
}

}  // namespace sla::ui
