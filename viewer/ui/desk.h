// One capture or agent in the window, and all that a person does with it. Several may be open; one is shown, all receive.
// Owner: the window's thread. What points into the feed's session lives and dies with the desk.
#pragma once

#include "viewer/store/names.h"
#include "viewer/ui/agent_link.h"
#include "viewer/ui/catching_up.h"
#include "viewer/ui/counting.h"
#include "viewer/ui/drawer.h"
#include "viewer/ui/event_table.h"
#include "viewer/ui/export_job.h"
#include "viewer/ui/feed.h"
#include "viewer/ui/inspector.h"
#include "viewer/ui/lane_menu.h"
#include "viewer/ui/lane_names.h"
#include "viewer/ui/lane_rates.h"
#include "viewer/ui/lanes_area.h"
#include "viewer/ui/lanes_mouse.h"
#include "viewer/ui/minimap_strip.h"
#include "viewer/ui/search.h"
#include "viewer/ui/view.h"

#include <array>
#include <memory>
#include <optional>
#include <string>

namespace sla::ui {

// The lanes of one pane: two show the same data at two places.
struct Pane {
    View view;
    LanesArea lanes;
    LanesMouse mouse;
};

struct Desk {
    explicit Desk(std::unique_ptr<Feed> from, bool motion);
    ~Desk();
    Desk(const Desk&) = delete;
    Desk& operator=(const Desk&) = delete;

    // Takes data for at most `budget`; not while an export reads what is there.
    void take_data(std::chrono::milliseconds budget, double seconds);
    // Data comes, or something is being looked for, written or made exact.
    [[nodiscard]] bool is_busy() const;
    // The state that is undone, redone and kept beside the capture.
    [[nodiscard]] ViewState state() const;
    void set_state(const ViewState& state);
    // Looks for the file of an earlier look at this capture; what goes wrong is for people.
    [[nodiscard]] Result<void> restore();
    // Writes it when it changed since.
    [[nodiscard]] Result<void> keep();
    // Where that file is; "" when there is no place for it, or nothing to keep.
    [[nodiscard]] std::string view_path() const;

    View& view() { return panes[0].view; }

    std::unique_ptr<Feed> feed;
    std::array<Pane, 2> panes;
    bool two_panes = false;
    std::size_t active = 0;  // the pane that has the mouse, or had it last
    timeline::LaneTree tree;
    LaneRates rates;
    CatchingUp catching_up;
    History history;
    EventTable table;
    Drawer drawer;
    Inspector inspector;
    MinimapStrip minimap;
    LaneMenu lane_menu;
    std::array<LaneNames, 2> names;
    Search search;
    AgentLink agent;
    Counting counting;
    std::unique_ptr<ExportJob> job;
    bool overlay = false;           // shots of the same trigger are drawn over each other at t = 0
    std::optional<store::Shot> shot;  // the one that is looked at: its place may change when an earlier one comes late
    std::uint64_t losses_told = 0;  // up to which the banner was dismissed
    std::string told;               // the feed's message that is in the errors already
    std::size_t told_notes = 0;     // of the session's
    bool restored = false;
    bool on_trial = false;        // opened by the person, and its agent has not answered yet
    std::size_t opened_from = 0;  // the desk that was shown before
    bool passing = false;         // of the demo: nothing of it is kept

private:
    void set_panes(const ViewState& state);

    ViewState kept_;
};

}  // namespace sla::ui
