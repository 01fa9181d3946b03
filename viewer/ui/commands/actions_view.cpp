// Actions that move the view.
#include "viewer/timeline/idle.h"
#include "viewer/ui/commands/actions.h"
#include "viewer/ui/commands/navigation.h"
#include "viewer/ui/commands/preconditions.h"
#include "viewer/ui/widgets/visible_lanes.h"

#include <fmt/format.h>
#include <algorithm>
#include <array>

namespace sla::ui {

namespace {

constexpr double kZoomStep = 0.7;
constexpr double kPanShare = 0.15;

void zoom(Context& context, double factor) {
    const double middle = context.view.port().width() / 2;
    context.view.zoom_at(context.mouse_in_lanes() ? context.lanes_x(ImGui::GetIO().MousePos.x) : middle, factor);
}

void pan(Context& context, double direction) {
    context.view.glide_pan(direction * kPanShare * context.view.port().width());
}

bool show_between_cursors(Context& context) {
    const timeline::CursorPair& cursors = context.marks.cursors;
    if (!cursors.a || !cursors.b || cursors.a->tick == cursors.b->tick) return false;
    const auto [first, last] = std::minmax(cursors.a->tick, cursors.b->tick);
    context.view.show({first, last}, 0.1);
    return true;
}

void fit(Context& context) {
    const timeline::TickRange before = context.view.target().visible();
    // The range first, then, pressed again, everything.
    if (show_between_cursors(context) && !(context.view.target().visible() == before)) return;
    context.view.fit();
}

// What is in view and idle is taken out, beside what was before.
void fold_idle(Context& context) {
    std::vector<timeline::DrawnLane> lanes;
    for (const timeline::TreeRow& row : context.tree.rows()) {
        if (row.lane != nullptr) lanes.push_back({row.lane, context.offset_of(*row.lane)});
    }
    const timeline::TickRange seen = context.view.target().visible();
    const auto idle = timeline::idle_intervals(lanes, seen);
    if (idle.empty()) {
        context.errors.notice("Nothing to fold: no twentieth of what is in view is without an event");
        return;
    }
    std::vector<timeline::TickRange> all = context.view.folds();
    all.insert(all.end(), idle.begin(), idle.end());
    context.view.set_follow(false);
    context.document.set_folds(all);
    context.view.show(seen);
}

void unfold(Context& context) {
    const timeline::TickRange seen = context.view.target().visible();
    context.document.set_folds({});
    context.view.show(seen);
}

// t = 0, else the newest shot.
void go_to_trigger(Context& context) {
    if (context.marks.annotations.zero) {
        context.view.go_to(*context.marks.annotations.zero);
    } else {
        show_shot(context, context.session.shots().size() - 1);
    }
}

void set_bookmark(Context& context, int digit) {
    context.marks.annotations.bookmarks[digit] = {context.view.target().visible(), {}};
}

void go_to_bookmark(Context& context, int digit) {
    const auto found = context.marks.annotations.bookmarks.find(digit);
    if (found != context.marks.annotations.bookmarks.end()) context.view.show(found->second.range);
}

template <int kDigit>
constexpr Action set_action(const char* id, const char* title, const char* keys) {
    return {id, "Bookmarks", title, keys, [](Context& c) { set_bookmark(c, kDigit); }, without_lanes, nullptr};
}

template <int kDigit>
constexpr Action go_action(const char* id, const char* title, const char* keys) {
    return {id,
            "Bookmarks",
            title,
            keys,
            [](Context& c) { go_to_bookmark(c, kDigit); },
            [](const Context& c) {
                return c.marks.annotations.bookmarks.contains(kDigit)
                           ? nullptr
                           : "No place is kept under that digit: Ctrl+digit keeps "
                             "one (1 and 2 are the cursors' keys)";
            },
            nullptr};
}

const char* without_folds(const Context& c) {
    return c.view.target().folds() == nullptr ? "No idle time is folded" : nullptr;
}

constexpr std::array kViewActions{
    Action{"zoom-in", "View", "Zoom in", "W + = Up", [](Context& c) { zoom(c, kZoomStep); }, without_lanes, nullptr},
    Action{"zoom-out", "View", "Zoom out", "S - Down", [](Context& c) { zoom(c, 1 / kZoomStep); }, without_lanes, nullptr},
    Action{"pan-left", "View", "Move to earlier", "A Shift+Left", [](Context& c) { pan(c, -1); }, without_lanes, nullptr},
    Action{"pan-right", "View", "Move to later", "D Shift+Right", [](Context& c) { pan(c, 1); }, without_lanes, nullptr},
    Action{"fit", "View", "Fit all, or what lies between A and B", "F", fit, without_lanes, nullptr},
    Action{"zoom-to-cursors", "View", "Zoom to what lies between A and B", "Z", [](Context& c) { show_between_cursors(c); },
           without_both, nullptr},
    Action{"start", "View", "Go to the start", "Home", [](Context& c) { c.view.go_to_start(); }, without_lanes, nullptr},
    Action{"end", "View", "Go to the newest event", "End", [](Context& c) { c.view.go_to_end(); }, without_lanes, nullptr},
    Action{"follow", "View", "Follow the newest event", "L", [](Context& c) { c.view.set_follow(!c.view.follow()); },
           without_live_data, [](const Context& c) { return c.view.follow(); }},
    Action{"go-to", "View", "Go to a time, tick or row\xE2\x80\xA6", "G",
           [](Context& c) { c.commands.push(command::OpenDialog{command::Dialog::kGoTo}); }, nullptr, nullptr},
    Action{"trigger", "View", "Go to t = 0, or the newest shot", "T", go_to_trigger, without_trigger, nullptr},
    Action{"fold-idle", "View", "Fold idle time in view", "I", fold_idle, without_lanes, nullptr},
    Action{"unfold-idle", "View", "Unfold all idle time", "Shift+I", unfold, without_folds, nullptr},
    Action{"page-up", "View", "Scroll the lanes up", "PageUp",
           [](Context& c) { c.view.lane_scroll -= c.layout.lanes.height * 0.8F; }, nullptr, nullptr},
    Action{"page-down", "View", "Scroll the lanes down", "PageDown",
           [](Context& c) { c.view.lane_scroll += c.layout.lanes.height * 0.8F; }, nullptr, nullptr},
    Action{"previous-edge", "Search", "Previous edge of the focused lane", "Left ,",
           [](Context& c) { step_edge(c, Towards::kEarlier); }, without_focus, nullptr},
    Action{"next-edge", "Search", "Next edge of the focused lane", "Right .",
           [](Context& c) { step_edge(c, Towards::kLater); }, without_focus, nullptr},
    Action{"previous-edge-off-screen", "Search", "Previous edge off screen", "Ctrl+Left",
           [](Context& c) { step_edge(c, Towards::kEarlier, Edges::kOffScreen); }, without_focus, nullptr},
    Action{"next-edge-off-screen", "Search", "Next edge off screen", "Ctrl+Right",
           [](Context& c) { step_edge(c, Towards::kLater, Edges::kOffScreen); }, without_focus, nullptr},
    Action{"next-hit", "Search", "Next hit of the search", "Enter N F3", [](Context& c) { step_hit(c, true); }, without_hits,
           nullptr},
    Action{"previous-hit", "Search", "Previous hit of the search", "Shift+Enter Shift+N Shift+F3",
           [](Context& c) { step_hit(c, false); }, without_hits, nullptr},
    Action{"row-down", "Search", "Next row of the table", "Shift+Down",
           [](Context& c) { c.document.panels.table_steps += 1; }, without_rows, nullptr},
    Action{"row-up", "Search", "Previous row of the table", "Shift+Up",
           [](Context& c) { c.document.panels.table_steps -= 1; }, without_rows, nullptr},
    set_action<0>("set-bookmark-0", "Keep this place as 0", "Ctrl+0"),
    set_action<1>("set-bookmark-1", "Keep this place as 1", ""),
    set_action<2>("set-bookmark-2", "Keep this place as 2", ""),
    set_action<3>("set-bookmark-3", "Keep this place as 3", "Ctrl+3"),
    set_action<4>("set-bookmark-4", "Keep this place as 4", "Ctrl+4"),
    set_action<5>("set-bookmark-5", "Keep this place as 5", "Ctrl+5"),
    set_action<6>("set-bookmark-6", "Keep this place as 6", "Ctrl+6"),
    set_action<7>("set-bookmark-7", "Keep this place as 7", "Ctrl+7"),
    set_action<8>("set-bookmark-8", "Keep this place as 8", "Ctrl+8"),
    set_action<9>("set-bookmark-9", "Keep this place as 9", "Ctrl+9"),
    go_action<0>("bookmark-0", "Go to place 0", "0"),
    go_action<1>("bookmark-1", "Go to place 1", ""),
    go_action<2>("bookmark-2", "Go to place 2", ""),
    go_action<3>("bookmark-3", "Go to place 3", "3"),
    go_action<4>("bookmark-4", "Go to place 4", "4"),
    go_action<5>("bookmark-5", "Go to place 5", "5"),
    go_action<6>("bookmark-6", "Go to place 6", "6"),
    go_action<7>("bookmark-7", "Go to place 7", "7"),
    go_action<8>("bookmark-8", "Go to place 8", "8"),
    go_action<9>("bookmark-9", "Go to place 9", "9"),
};

}  // namespace

std::span<const Action> view_actions() {
    return kViewActions;
}

}  // namespace sla::ui
