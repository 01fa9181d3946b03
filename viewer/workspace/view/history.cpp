#include "viewer/workspace/view/history.h"

#include <algorithm>
#include <utility>

namespace sla::workspace {

namespace {

constexpr double kOneMovement = 0.7;  // seconds between movements of the view that make one step

bool only_the_view_moved(const ViewState& before, const ViewState& after) {
    return before.lanes == after.lanes && before.annotations == after.annotations && before.cursors == after.cursors &&
           before.table_filter == after.table_filter && before.table_collapsed == after.table_collapsed &&
           before.folds == after.folds && before.statistics_options == after.statistics_options &&
           before.two_panes == after.two_panes;
}

std::string lanes_difference(const timeline::LaneArrangement& before, const timeline::LaneArrangement& after) {
    if (before.folded != after.folded) return before.folded.size() < after.folded.size() ? "fold lanes" : "unfold lanes";
    if (before.order != after.order) return "move a lane";
    if (before.links != after.links) return "link lanes";
    if (before.show_hidden != after.show_hidden) return "show hidden lanes";
    return "change a lane";
}

bool note_alone_changed(const Annotations& before, const Annotations& after) {
    return std::equal(before.bookmarks.begin(), before.bookmarks.end(), after.bookmarks.begin(), after.bookmarks.end(),
                      [](const auto& a, const auto& b) { return a.first == b.first && a.second.range == b.second.range; });
}

std::string notes_difference(const Annotations& before, const Annotations& after) {
    if (before.markers.size() < after.markers.size()) return "add a marker";
    if (before.markers.size() > after.markers.size()) return "delete a marker";
    if (before.markers != after.markers) return "change a marker";
    if (before.ranges != after.ranges) return before.ranges.size() > after.ranges.size() ? "delete a range" : "keep a range";
    if (before.bookmarks.size() > after.bookmarks.size()) return "delete a bookmark";
    if (before.bookmarks != after.bookmarks) return note_alone_changed(before, after) ? "note a bookmark" : "set a bookmark";
    return "set t = 0";
}

}  // namespace

std::string difference_of(const ViewState& before, const ViewState& after) {
    if (before.lanes != after.lanes) return lanes_difference(before.lanes, after.lanes);
    if (before.annotations != after.annotations) return notes_difference(before.annotations, after.annotations);
    if (before.cursors.a != after.cursors.a && before.cursors.b != after.cursors.b) return "measure";
    if (before.cursors.a != after.cursors.a) return after.cursors.a ? "place cursor A" : "drop cursor A";
    if (before.cursors.b != after.cursors.b) return after.cursors.b ? "place cursor B" : "drop cursor B";
    if (before.table_filter != after.table_filter) return "filter the table";
    if (before.table_collapsed != after.table_collapsed) return "collapse repeated rows";
    if (before.folds != after.folds) return after.folds.empty() ? "unfold idle time" : "fold idle time";
    if (before.statistics_options != after.statistics_options) return "count widths another way";
    if (before.two_panes != after.two_panes) return after.two_panes ? "open the second pane" : "close the second pane";
    return "move the view";
}

void History::observe(const ViewState& now, double seconds, bool gesture) {
    since_change_ += seconds;
    if (!begun_ || settling_) {
        current_ = now;
        begun_ = true;
        settling_ = false;
        view_run_ = false;
        return;
    }
    if (gesture || now == current_) return;
    const bool view_only = only_the_view_moved(current_, now);
    if (view_only && view_run_ && since_change_ < kOneMovement) {
        current_ = now;
    } else {
        undo_.push_back(std::exchange(current_, now));
        if (undo_.size() > kMax) undo_.pop_front();
        redo_.clear();
    }
    view_run_ = view_only;
    since_change_ = 0;
}

std::string History::undo_words() const {
    return undo_.empty() ? std::string() : difference_of(undo_.back(), current_);
}

std::string History::redo_words() const {
    return redo_.empty() ? std::string() : difference_of(current_, redo_.back());
}

std::optional<ViewState> History::step(std::deque<ViewState>& from, std::deque<ViewState>& to, ViewState& current) {
    if (from.empty()) return std::nullopt;
    to.push_back(std::move(current));
    current = std::move(from.back());
    from.pop_back();
    return current;
}

std::optional<ViewState> History::undo() {
    const auto state = step(undo_, redo_, current_);
    settling_ = settling_ || state.has_value();
    return state;
}

std::optional<ViewState> History::redo() {
    const auto state = step(redo_, undo_, current_);
    settling_ = settling_ || state.has_value();
    return state;
}

}  // namespace sla::workspace
