#include "viewer/workspace/view/history.h"

#include <utility>

namespace sla::workspace {

namespace {

constexpr double kOneMovement = 0.7;  // seconds between movements of the view that make one step

}  // namespace

void History::observe(ViewState now, bool gesture) {
    if (wants_state()) {
        current_ = std::move(now);
        begun_ = true;
        settling_ = false;
        view_run_ = false;
        return;
    }
    if (gesture || now == current_) return;
    const bool view_only = only_the_view_moved(current_, now);
    if (view_only && view_run_ && since_change_ < kOneMovement) {
        current_ = std::move(now);
    } else {
        undo_.push_back(std::exchange(current_, std::move(now)));
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
