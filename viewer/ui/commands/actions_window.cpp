// Actions on the window: what is open, panels, search, undo.
#include "viewer/ui/commands/actions.h"
#include "viewer/ui/commands/navigation.h"
#include "viewer/ui/commands/preconditions.h"

#include <algorithm>
#include <array>

namespace sla::ui {

namespace {

void scale_by(Context& context, float step) {
    const float scale = std::clamp(context.layout.scale + step, 0.75F, 4.0F);
    context.settings.scale = scale;
    context.commands.push(command::SetScale{scale});
}

void toggle_theme(Context& context) {
    const bool dark = context.settings.theme == ThemeName::kDark;
    context.commands.push(command::SetTheme{dark ? ThemeName::kLight : ThemeName::kDark});
}

void toggle_second_pane(Context& context) {
    Document& document = context.document;
    document.two_panes = !document.two_panes;
    if (document.two_panes) document.views[1].begin_like(document.views[0]);
}

void dismiss_banner(Context& context) {
    if (shows_losses(context)) {
        context.document.see_losses();
    } else {
        context.errors.dismiss();
    }
}

void toggle_mouse(Context& context) {
    const bool measures = context.settings.mouse == MousePreset::kLogicAnalyzer;
    context.settings.mouse = measures ? MousePreset::kProfiler : MousePreset::kLogicAnalyzer;
    context.errors.notice(measures ? "A left drag over the lanes measures; a right drag pans"
                                   : "A left drag over the lanes pans; with Shift it measures");
}

const char* without_source(const Context& c) {
    return c.status.state == SourceState::kNone ? "Nothing is open" : nullptr;
}

const char* without_message(const Context& c) {
    return c.errors.any() || c.document.has_unseen_losses() ? nullptr : "There is no message";
}

constexpr std::array kWindowActions{
    Action{"palette", "Window", "Do or find anything by name\xE2\x80\xA6", "Ctrl+Shift+P Ctrl+K",
           [](Context& c) { c.commands.push(command::OpenDialog{command::Dialog::kPalette}); }, nullptr, nullptr},
    Action{"undo", "Window", "Undo", "Ctrl+Z", [](Context& c) { c.commands.push(command::Undo{}); },
           [](const Context& c) { return c.document.history.can_undo() ? nullptr : "Nothing to undo"; }, nullptr},
    Action{"redo", "Window", "Redo", "Ctrl+Y Ctrl+Shift+Z", [](Context& c) { c.commands.push(command::Redo{}); },
           [](const Context& c) { return c.document.history.can_redo() ? nullptr : "Nothing to redo"; }, nullptr},
    Action{"search", "Window", "Search\xE2\x80\xA6", "Ctrl+F /", [](Context& c) { c.commands.push(command::FocusSearch{}); },
           nullptr, nullptr},
    Action{"filter", "Window", "Filter the table\xE2\x80\xA6", "Ctrl+L",
           [](Context& c) {
               show_tab(c, BottomTab::kEvents);
               c.document.panels.focus_filter = true;
           },
           nullptr, nullptr},
    Action{"run", "Window", "Run or stop", "Space", [](Context& c) { c.commands.push(command::ToggleRun{}); }, without_agent,
           nullptr},
    Action{"open", "Window", "Open a capture or an agent\xE2\x80\xA6", "Ctrl+O",
           [](Context& c) { c.commands.push(command::OpenDialog{command::Dialog::kSources}); }, nullptr, nullptr},
    Action{"next-source", "Window", "Next open capture or agent", "Ctrl+Tab",
           [](Context& c) { c.commands.push(command::StepDocuments{1}); }, nullptr, nullptr},
    Action{"previous-source", "Window", "Previous open capture or agent", "Ctrl+Shift+Tab",
           [](Context& c) { c.commands.push(command::StepDocuments{-1}); }, nullptr, nullptr},
    Action{"beside", "Window", "Two sources: this one and the next, one below the other", "Ctrl+Shift+D",
           [](Context& c) { c.commands.push(command::ToggleBeside{}); }, nullptr,
           [](const Context& c) { return c.document.panels.is_beside; }},
    Action{"link-sources", "Window", "The other source goes along: the same time since t = 0", "",
           [](Context& c) { c.settings.link_sources = !c.settings.link_sources; }, nullptr,
           [](const Context& c) { return c.settings.link_sources; }},
    Action{"close-source", "Window", "Close this capture or agent", "Ctrl+W",
           [](Context& c) { c.commands.push(command::CloseDocument{}); }, without_source, nullptr},
    Action{"reopen-source", "Window", "Open again what was closed last", "Ctrl+Shift+T",
           [](Context& c) { c.commands.push(command::ReopenDocument{}); }, nullptr, nullptr},
    Action{"export", "Window", "Save as a capture, or export\xE2\x80\xA6", "Ctrl+E",
           [](Context& c) { c.commands.push(command::OpenDialog{command::Dialog::kExport}); }, without_lanes, nullptr},
    Action{"dismiss", "Window", "Dismiss the message below the toolbar", "Shift+Escape", dismiss_banner, without_message,
           nullptr},
    Action{"dismiss-all", "Window", "Dismiss all messages", "",
           [](Context& c) {
               c.errors.dismiss_all();
               c.document.see_losses();
           },
           without_message, nullptr},
    Action{"demo", "Window", "Start the demo: an agent, an emulated PC, a marked program", "",
           [](Context& c) { c.commands.push(command::StartDemo{}); }, nullptr, nullptr},
    Action{"events", "Panels", "Events", "F5", [](Context& c) { show_tab(c, BottomTab::kEvents); }, nullptr, nullptr},
    Action{"flame", "Panels", "Flame: spans of each thread, nested", "Shift+F5",
           [](Context& c) { show_tab(c, BottomTab::kFlame); }, nullptr, nullptr},
    Action{"all-statistics", "Panels", "Statistics of all lanes: in view, or between A and B", "Shift+F6",
           [](Context& c) { show_tab(c, BottomTab::kStatistics); }, nullptr, nullptr},
    Action{"found", "Panels", "Found", "F6", [](Context& c) { show_tab(c, BottomTab::kFound); }, nullptr, nullptr},
    Action{"markers", "Panels", "Markers", "F7", [](Context& c) { show_tab(c, BottomTab::kMarkers); }, nullptr, nullptr},
    Action{"shots", "Panels", "Shots", "F8", [](Context& c) { show_tab(c, BottomTab::kShots); }, nullptr, nullptr},
    Action{"gaps", "Panels", "Gaps", "F9", [](Context& c) { show_tab(c, BottomTab::kGaps); }, nullptr, nullptr},
    Action{"sql", "Panels", "Questions in SQL", "", [](Context& c) { show_tab(c, BottomTab::kSql); }, nullptr, nullptr},
    Action{"bookmarks", "Panels", "Bookmarks and their notes", "Ctrl+B",
           [](Context& c) { show_tab(c, BottomTab::kBookmarks); }, nullptr, nullptr},
    Action{"measure", "Panels", "Measurements and channels", "Ctrl+M",
           [](Context& c) { show_panel(c, InspectorTab::kMeasure); }, nullptr, nullptr},
    Action{"trigger-editor", "Panels", "Trigger editor", "Ctrl+T",
           [](Context& c) {
               show_panel(c, InspectorTab::kTrigger);
               c.document.panels.focus_trigger = true;
           },
           nullptr, nullptr},
    Action{"agent", "Panels", "Agent, clock, a channel's switch and filter", "Ctrl+G",
           [](Context& c) { show_panel(c, InspectorTab::kAgent); }, nullptr, nullptr},
    Action{"counters", "Panels", "Counters: events a second of a process or an emulated PC", "Ctrl+Shift+M",
           [](Context& c) { show_panel(c, InspectorTab::kCounters); }, nullptr, nullptr},
    Action{"registers", "Panels", "Registers of an emulated PC: CPU and chips, live", "Ctrl+Shift+R",
           [](Context& c) { show_panel(c, InspectorTab::kRegisters); }, nullptr, nullptr},
    Action{"overlay", "Panels", "Shots over each other at t = 0", "V", toggle_overlay, without_shots,
           [](const Context& c) { return c.document.overlay; }},
    Action{"two-panes", "Panels", "Two panes: two places of the same capture", "Ctrl+D", toggle_second_pane, nullptr,
           [](const Context& c) { return c.document.two_panes; }},
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
    Action{"theme", "Settings", "Dark or light", "Ctrl+Shift+L", toggle_theme, nullptr, nullptr},
    Action{"larger", "Settings", "Larger text and controls", "Ctrl+=", [](Context& c) { scale_by(c, 0.25F); }, nullptr,
           nullptr},
    Action{"smaller", "Settings", "Smaller text and controls", "Ctrl+-", [](Context& c) { scale_by(c, -0.25F); }, nullptr,
           nullptr},
    Action{"mouse", "Settings", "A left drag measures instead of panning", "", toggle_mouse, nullptr,
           [](const Context& c) { return c.settings.mouse == MousePreset::kProfiler; }},
    Action{"settings", "Settings", "All settings\xE2\x80\xA6", "Ctrl+,",
           [](Context& c) { c.commands.push(command::OpenDialog{command::Dialog::kSettings}); }, nullptr, nullptr},
    Action{"help", "Program", "Help: mouse and keys", "? F1", [](Context& c) { c.commands.push(command::ToggleHelp{}); },
           nullptr, nullptr},
    Action{"quit", "Program", "Quit", "Ctrl+Q", [](Context& c) { c.commands.push(command::Quit{}); }, nullptr, nullptr},
};

}  // namespace

bool shows_losses(const Context& context) {
    const bool is_graver = context.errors.any() && context.errors.shown().severity >= Severity::kWarning;
    return context.document.has_unseen_losses() && !is_graver;
}

std::span<const Action> window_actions() {
    return kWindowActions;
}

}  // namespace sla::ui
