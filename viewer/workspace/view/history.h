// Undo and redo of everything that a person does to the view: one state, kept whole.
//
// At the end of every frame the state is handed to observe(). When it differs from the last one and no gesture is under way
// (a drag, a cursor that sticks to the mouse, a text being typed), the last one becomes a step to go back to. So no change
// can forget to be undoable. Movements of the view alone that follow each other closely are one step.
// Owner: the window's thread. Memory: kMax states.
#pragma once

#include "viewer/timeline/cursor.h"
#include "viewer/timeline/lanes/lane_arrangement.h"
#include "viewer/workspace/jobs/statistics_options.h"
#include "viewer/workspace/view/annotations.h"

#include <cstddef>
#include <deque>
#include <optional>
#include <string>
#include <vector>

namespace sla::workspace {

enum class ViewMode : std::uint8_t { kRange, kAll, kNewest };

// Where the view stands; of all but kRange the numbers mean nothing and are 0.
struct ShownPlace {
    ViewMode mode = ViewMode::kAll;
    std::uint64_t first_tick = 0;
    double ticks_per_pixel = 0;
    bool operator==(const ShownPlace&) const = default;
};

struct ViewState {
    timeline::LaneArrangement lanes;
    Annotations annotations;
    timeline::CursorPair cursors;
    ShownPlace shown;
    std::string table_filter;
    bool table_collapsed = false;
    std::vector<timeline::TickRange> folds;  // axis breaks
    StatisticsOptions statistics_options;
    bool two_panes = false;
    ShownPlace shown_below;  // in the lower of two panes
    bool operator==(const ViewState&) const = default;
};

// What differs between two states, in a few words: "move cursor A".
std::string difference_of(const ViewState& before, const ViewState& after);

class History {
public:
    void observe(const ViewState& now, double seconds, bool gesture);

    [[nodiscard]] bool can_undo() const { return !undo_.empty(); }
    [[nodiscard]] bool can_redo() const { return !redo_.empty(); }
    // What undo or redo would take back or do again; "" when there is nothing.
    [[nodiscard]] std::string undo_words() const;
    [[nodiscard]] std::string redo_words() const;
    // The state to go to.
    std::optional<ViewState> undo();
    std::optional<ViewState> redo();
    [[nodiscard]] const ViewState& current() const { return current_; }

    static constexpr std::size_t kMax = 500;

private:
    static std::optional<ViewState> step(std::deque<ViewState>& from, std::deque<ViewState>& to, ViewState& current);

    std::deque<ViewState> undo_;  // the newest last
    std::deque<ViewState> redo_;
    ViewState current_;
    bool begun_ = false;
    bool settling_ = false;    // a step was just taken: what the view makes of it is the state, not a change
    bool view_run_ = false;    // the last change was a movement of the view
    double since_change_ = 0;  // seconds
};

}  // namespace sla::workspace
