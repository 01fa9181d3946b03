// Undo and redo of everything that a person does to the view: one state, kept whole.
//
// At the end of every frame in which the state is not as it was, it is handed to observe(). When no gesture is under way (a
// drag, a cursor that sticks to the mouse, a text being typed), the last one becomes a step to go back to. So no change can
// forget to be undoable. Movements of the view alone that follow each other closely are one step.
// Owner: the window's thread. Memory: kMax states, of which those that follow each other share what is the same; the oldest go
// where the others take more than kMaxBytes.
#pragma once

#include "viewer/workspace/view/view_state.h"

#include <cstddef>
#include <deque>
#include <optional>
#include <string>

namespace sla::workspace {

class History {
public:
    // Once a frame.
    void pass(double seconds) { since_change_ += seconds; }
    // The state is wanted, though it be the current one: at the beginning, and as the view settles behind a step.
    [[nodiscard]] bool wants_state() const { return !begun_ || settling_; }
    void observe(ViewState now, bool gesture);

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
    static constexpr std::size_t kMaxBytes = std::size_t{64}
                                             << 20;  // of states to go back to; one is kept whatever it takes

private:
    void let_old_ones_go();
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
