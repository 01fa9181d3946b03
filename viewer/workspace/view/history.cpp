#include "viewer/workspace/view/history.h"

#include <utility>

namespace sla::workspace {

namespace {

constexpr double kOneMovement = 0.7;  // seconds between movements of the view that make one step

// About what a value takes in memory beside itself.
constexpr std::size_t kEntryBytes = 200;  // a style or a question, or what else has a name, as a node with its texts
constexpr std::size_t kNameBytes = 48;

std::size_t bytes_of(const timeline::LaneArrangement& lanes) {
    std::size_t bytes = kEntryBytes * (lanes.lanes.size() + lanes.folded.size() + lanes.links.size() + lanes.order.size());
    for (const auto& [parent, children] : lanes.order) bytes += kNameBytes * children.size();
    return bytes;
}
std::size_t bytes_of(const Annotations& annotations) {
    std::size_t bytes = kNameBytes * (annotations.markers.size() + annotations.ranges.size());
    for (const auto& [digit, mark] : annotations.bookmarks) bytes += kEntryBytes + mark.note.size();
    return bytes;
}
std::size_t bytes_of(const std::vector<timeline::TickRange>& folds) {
    return folds.size() * sizeof(timeline::TickRange);
}
std::size_t bytes_of(const std::vector<KeptQuestion>& questions) {
    std::size_t bytes = kEntryBytes * questions.size();
    for (const KeptQuestion& one : questions) bytes += one.text.size();
    return bytes;
}

template <typename T>
std::size_t own_bytes(const SharedValue<T>& of, const SharedValue<T>& next) {
    return of.is_shared_with(next) ? 0 : bytes_of(*of);
}

// What goes with that state as long as the next one stays.
std::size_t own_bytes(const ViewState& state, const ViewState& next) {
    return sizeof(ViewState) + state.table_filter.size() + own_bytes(state.lanes, next.lanes) +
           own_bytes(state.annotations, next.annotations) + own_bytes(state.folds, next.folds) +
           own_bytes(state.questions, next.questions);
}

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
        let_old_ones_go();
        redo_.clear();
    }
    view_run_ = view_only;
    since_change_ = 0;
}

void History::let_old_ones_go() {
    std::size_t kept = 0;
    std::size_t bytes = 0;
    const ViewState* next = &current_;
    for (auto state = undo_.rbegin(); state != undo_.rend() && kept < kMax; ++state, ++kept) {
        bytes += own_bytes(*state, *next);
        if (bytes > kMaxBytes && kept > 0) break;
        next = &*state;
    }
    undo_.erase(undo_.begin(), undo_.end() - static_cast<std::ptrdiff_t>(kept));
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
