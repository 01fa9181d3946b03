// Actions on the window: what is open, panels, search, undo.
#include "viewer/ui/actions.h"
#include "viewer/ui/error_bar.h"
#include "viewer/ui/hindrances.h"
#include "viewer/ui/shot_list.h"

#include <algorithm>
#include <array>

namespace sla::ui {

namespace {

void show_tab(Context& context, DrawerTab tab) {
    context.settings.splits.show_table();
    context.desk.drawer.show(tab);
}

void show_panel(Context& context, InspectorTab tab) {
    context.settings.splits.show_inspector();
    context.desk.inspector.show(tab);
}

void scale_by(Context& context, float step) {
    const float scale = std::clamp(context.layout.scale + step, 0.75F, 4.0F);
    context.settings.scale = scale;
    context.requests.scale = scale;
}

const char* without_source(const Context& c) {
    return c.status.state == FeedState::kNone ? "Nothing is open" : nullptr;
}

const char* without_message(const Context& c) {
    return c.errors.any() || loss_banner(c.desk) ? nullptr : "There is no message";
}

constexpr std::array kWindowActions{
    Action{"palette", "Window", "Do or find anything by name\xE2\x80\xA6", "Ctrl+Shift+P Ctrl+K",
           [](Context& c) { c.requests.palette = true; }, nullptr, nullptr},
    Action{"undo", "Window", "Undo", "Ctrl+Z", [](Context& c) { c.requests.undo = true; },
           [](const Context& c) { return c.desk.history.can_undo() ? nullptr : "Nothing to undo"; }, nullptr},
    Action{"redo", "Window", "Redo", "Ctrl+Y Ctrl+Shift+Z", [](Context& c) { c.requests.redo = true; },
           [](const Context& c) { return c.desk.history.can_redo() ? nullptr : "Nothing to redo"; }, nullptr},
    Action{"search", "Window", "Search\xE2\x80\xA6", "Ctrl+F /", [](Context& c) { c.requests.search = true; }, nullptr,
           nullptr},
    Action{"filter", "Window", "Filter the table\xE2\x80\xA6", "Ctrl+L",
           [](Context& c) {
               show_tab(c, DrawerTab::kEvents);
               c.desk.drawer.focus_filter();
           },
           nullptr, nullptr},
    Action{"run", "Window", "Run or stop", "Space", [](Context& c) { c.requests.toggle_run = true; }, without_agent,
           nullptr},
    Action{"open", "Window", "Open a capture or an agent\xE2\x80\xA6", "Ctrl+O",
           [](Context& c) { c.requests.sources_box = true; }, nullptr, nullptr},
    Action{"next-source", "Window", "Next open capture or agent", "Ctrl+Tab", [](Context& c) { c.requests.desk_steps = 1; },
           nullptr, nullptr},
    Action{"previous-source", "Window", "Previous open capture or agent", "Ctrl+Shift+Tab",
           [](Context& c) { c.requests.desk_steps = -1; }, nullptr, nullptr},
    Action{"close-source", "Window", "Close this capture or agent", "Ctrl+W",
           [](Context& c) { c.requests.close_desk = true; }, without_source, nullptr},
    Action{"reopen-source", "Window", "Open again what was closed last", "Ctrl+Shift+T",
           [](Context& c) { c.requests.reopen_desk = true; }, nullptr, nullptr},
    Action{"export", "Window", "Export\xE2\x80\xA6", "Ctrl+E", [](Context& c) { c.requests.export_box = true; },
           without_lanes, nullptr},
    Action{"dismiss", "Window", "Dismiss the message below the toolbar", "Shift+Escape", dismiss_banner, without_message,
           nullptr},
    Action{"dismiss-all", "Window", "Dismiss all messages", "",
           [](Context& c) {
               c.errors.dismiss_all();
               c.desk.losses_told = c.session.lost();
           },
           without_message, nullptr},
    Action{"demo", "Window", "Start the demo: an agent, an emulated PC, a marked program", "",
           [](Context& c) { c.requests.start_demo = true; }, nullptr, nullptr},
    Action{"events", "Panels", "Events", "F5", [](Context& c) { show_tab(c, DrawerTab::kEvents); }, nullptr, nullptr},
    Action{"found", "Panels", "Found", "F6", [](Context& c) { show_tab(c, DrawerTab::kFound); }, nullptr, nullptr},
    Action{"markers", "Panels", "Markers", "F7", [](Context& c) { show_tab(c, DrawerTab::kMarkers); }, nullptr, nullptr},
    Action{"shots", "Panels", "Shots", "F8", [](Context& c) { show_tab(c, DrawerTab::kShots); }, nullptr, nullptr},
    Action{"gaps", "Panels", "Gaps", "F9", [](Context& c) { show_tab(c, DrawerTab::kGaps); }, nullptr, nullptr},
    Action{"bookmarks", "Panels", "Bookmarks and their notes", "Ctrl+B",
           [](Context& c) { show_tab(c, DrawerTab::kBookmarks); }, nullptr, nullptr},
    Action{"measure", "Panels", "Measurements and channels", "Ctrl+M",
           [](Context& c) { show_panel(c, InspectorTab::kMeasure); }, nullptr, nullptr},
    Action{"trigger-editor", "Panels", "Trigger editor", "Ctrl+T",
           [](Context& c) {
               show_panel(c, InspectorTab::kTrigger);
               c.desk.inspector.trigger().focus_text();
           },
           nullptr, nullptr},
    Action{"agent", "Panels", "Agent, clock, a channel's switch and filter", "Ctrl+G",
           [](Context& c) { show_panel(c, InspectorTab::kAgent); }, nullptr, nullptr},
    Action{"overlay", "Panels", "Shots over each other at t = 0", "V", toggle_overlay, without_shots,
           [](const Context& c) { return c.desk.overlay; }},
    Action{"two-panes", "Panels", "Two panes: two places of the same capture", "Ctrl+D",
           [](Context& c) {
               c.desk.two_panes = !c.desk.two_panes;
               if (c.desk.two_panes) c.desk.panes[1].view.begin_like(c.desk.panes[0].view);
           },
           nullptr, [](const Context& c) { return c.desk.two_panes; }},
    Action{"table", "Panels", "Show or hide the lower part", "Ctrl+J",
           [](Context& c) {
               Splits& splits = c.settings.splits;
               splits.table_first = splits.table_open = c.layout.table.height <= 0;
           },
           nullptr, [](const Context& c) { return c.layout.table.height > 0; }},
    Action{"instruments", "Panels", "Show or hide the right part", "Ctrl+I",
           [](Context& c) {
               Splits& splits = c.settings.splits;
               splits.inspector_first = splits.inspector_open = c.layout.inspector.width <= 0;
           },
           nullptr, [](const Context& c) { return c.layout.inspector.width > 0; }},
    Action{"theme", "Settings", "Dark or light", "Ctrl+Shift+L", [](Context& c) { c.requests.toggle_theme = true; }, nullptr,
           nullptr},
    Action{"larger", "Settings", "Larger text and controls", "Ctrl+=", [](Context& c) { scale_by(c, 0.25F); }, nullptr,
           nullptr},
    Action{"smaller", "Settings", "Smaller text and controls", "Ctrl+-", [](Context& c) { scale_by(c, -0.25F); }, nullptr,
           nullptr},
    Action{"mouse", "Settings", "A left drag measures instead of panning", "",
           [](Context& c) {
               const bool logic = c.settings.mouse == MousePreset::kLogicAnalyzer;
               c.settings.mouse = logic ? MousePreset::kProfiler : MousePreset::kLogicAnalyzer;
           },
           nullptr, [](const Context& c) { return c.settings.mouse == MousePreset::kProfiler; }},
    Action{"settings", "Settings", "All settings\xE2\x80\xA6", "Ctrl+,", [](Context& c) { c.requests.settings_box = true; },
           nullptr, nullptr},
    Action{"help", "Program", "Help: mouse and keys", "? F1", [](Context& c) { c.requests.toggle_help = true; }, nullptr,
           nullptr},
    Action{"quit", "Program", "Quit", "Ctrl+Q", [](Context& c) { c.requests.quit = true; }, nullptr, nullptr},
};

}  // namespace

std::span<const Action> window_actions() {
    return kWindowActions;
}

}  // namespace sla::ui
