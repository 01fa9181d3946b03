#include "viewer/store/span_table.h"

#include <algorithm>

namespace sla::store {

namespace {

// A lane whose begins never end would grow without bound; beyond this many rows spans share the last one.
constexpr std::size_t kMaxRows = 256;

}  // namespace

SpanTable::SpanTable(std::uint64_t first_id, const std::vector<NumberedSpan>& open, Filling filling)
    : first_id_(first_id), before_(open), has_forest_(filling == Filling::kGrowing) {
    for (const NumberedSpan& one : before_) {
        stacks_[one.span.thread].push_back(one.id);
        if (row_taken_.size() <= one.span.row) row_taken_.resize(std::size_t{one.span.row} + 1);
        row_taken_[one.span.row] = true;
    }
    rows_ = static_cast<std::uint16_t>(row_taken_.size());
    open_ = deepest_ = before_.size();
    if (open_ > 0) busy_since_ = kNever;
}

void SpanTable::settle() {
    if (has_forest_) return;
    has_forest_ = true;
    for (const Span& span : spans_) forest_.append(reach_of(span));
}

// The oldest that have ended, and of those still open as many as are too many.
void SpanTable::index_ended() {
    for (std::size_t at = forest_.size(); at < spans_.size(); ++at) {
        if (spans_[at].state == SpanState::kOpen && spans_.size() - at <= kUnindexed) return;
        forest_.append(reach_of(spans_[at]));
    }
}

std::vector<std::uint64_t>* SpanTable::find_stack(std::uint32_t thread) {
    if (found_stack_ != nullptr && found_thread_ == thread) return found_stack_;
    const auto found = stacks_.find(thread);
    if (found == stacks_.end()) return nullptr;
    found_thread_ = thread;
    return found_stack_ = &found->second;
}

const NumberedSpan* SpanTable::before_of(std::uint64_t id) const {
    const auto at = std::lower_bound(before_.begin(), before_.end(), id,
                                     [](const NumberedSpan& one, std::uint64_t wanted) { return one.id < wanted; });
    SLA_CHECK(at != before_.end() && at->id == id);
    return &*at;
}

std::vector<NumberedSpan> SpanTable::still_open() const {
    std::vector<NumberedSpan> open;
    for (const auto& [thread, stack] : stacks_) {
        for (const std::uint64_t id : stack) open.push_back({id, (*this)[id]});
    }
    std::sort(open.begin(), open.end(), [](const NumberedSpan& a, const NumberedSpan& b) { return a.id < b.id; });
    return open;
}

std::uint16_t SpanTable::take_row() {
    const auto free = std::find(row_taken_.begin(), row_taken_.end(), false);
    const auto row = static_cast<std::size_t>(free - row_taken_.begin());
    if (row >= kMaxRows) return kMaxRows - 1;
    if (free == row_taken_.end()) {
        row_taken_.push_back(true);
    } else {
        *free = true;
    }
    rows_ = std::max<std::uint16_t>(rows_, static_cast<std::uint16_t>(row + 1));
    return static_cast<std::uint16_t>(row);
}

void SpanTable::begin(std::uint64_t index, std::uint64_t tick, std::uint32_t thread) {
    std::vector<std::uint64_t>* known = find_stack(thread);
    std::vector<std::uint64_t>& stack = known != nullptr ? *known : stacks_[thread];
    Span span;
    span.begin_index = index;
    span.begin_tick = tick;
    span.thread = thread;
    span.depth = static_cast<std::uint16_t>(std::min<std::size_t>(stack.size(), 0xffff));
    span.row = take_row();
    stack.push_back(end_id());
    spans_.push_back(span);
    if (has_forest_) index_ended();
    if (open_++ == 0) busy_since_ = tick;
    deepest_ = std::max(deepest_, open_);
}

void SpanTable::end(std::uint64_t index, std::uint64_t tick, std::uint32_t thread) {
    std::vector<std::uint64_t>* stack = find_stack(thread);
    if (stack == nullptr || stack->empty()) {
        ++unmatched_ends_;
        return;
    }
    const std::uint64_t id = stack->back();
    stack->pop_back();
    close(id, index, tick, SpanState::kClosed);
    ends_.emplace_back(index, id);
}

void SpanTable::gap(std::uint64_t index, std::uint64_t tick, std::uint32_t thread) {
    if (open_ == 0) return;
    for (auto& [owner, stack] : stacks_) {
        if (thread != 0 && owner != thread) continue;
        for (const std::uint64_t id : stack) close(id, index, tick, SpanState::kCut);
        stack.clear();
    }
}

void SpanTable::close(std::uint64_t id, std::uint64_t index, std::uint64_t tick, SpanState state) {
    const bool own = id >= first_id_;
    Span& span = own ? spans_[id - first_id_] : const_cast<NumberedSpan*>(before_of(id))->span;
    span.end_index = index;
    span.end_tick = tick;
    span.state = state;
    if (span.row < row_taken_.size()) row_taken_[span.row] = false;
    const std::uint64_t at = id - first_id_;
    if (own && has_forest_ && at < forest_.size()) forest_.update(at, reach_of(span));
    if (own && has_forest_ && at == forest_.size()) index_ended();
    if (!own) ended_before_.push_back(id);
    if (--open_ > 0) return;
    if (busy_since_ == kNever) {
        first_idle_ = tick;
    } else {
        busy_ += tick - busy_since_;
    }
}

std::uint64_t SpanTable::busy_ticks(std::uint64_t first_tick, std::uint64_t last_tick) const {
    const std::uint64_t at_first = first_idle_ == 0 ? 0 : first_idle_ - first_tick;
    if (open_ == 0) return busy_ + at_first;
    return busy_ + at_first + last_tick - (busy_since_ == kNever ? first_tick : busy_since_);
}

std::optional<std::uint64_t> SpanTable::span_of_begin(std::uint64_t index) const {
    const auto at = std::lower_bound(spans_.begin(), spans_.end(), index,
                                     [](const Span& span, std::uint64_t wanted) { return span.begin_index < wanted; });
    if (at == spans_.end() || at->begin_index != index) return std::nullopt;
    return first_id_ + static_cast<std::uint64_t>(at - spans_.begin());
}

std::optional<std::uint64_t> SpanTable::span_of_end(std::uint64_t index) const {
    const auto at = std::lower_bound(ends_.begin(), ends_.end(), index,
                                     [](const auto& entry, std::uint64_t wanted) { return entry.first < wanted; });
    if (at == ends_.end() || at->first != index) return std::nullopt;
    return at->second;
}

std::uint64_t SpanTable::lower_bound(std::uint64_t tick, std::uint64_t from) const {
    const std::size_t first = static_cast<std::size_t>(from - first_id_);
    std::size_t reach = 1;
    while (first + reach < spans_.size() && spans_[first + reach].begin_tick < tick) reach *= 2;
    const auto end = static_cast<std::ptrdiff_t>(std::min(first + reach + 1, spans_.size()));
    const auto at = std::lower_bound(spans_.begin() + static_cast<std::ptrdiff_t>(first), spans_.begin() + end, tick,
                                     [](const Span& span, std::uint64_t wanted) { return span.begin_tick < wanted; });
    return first_id_ + static_cast<std::uint64_t>(at - spans_.begin());
}

std::uint64_t SpanTable::memory_bytes() const {
    return before_.size() * sizeof(NumberedSpan) + spans_.size() * (sizeof(Span) + sizeof(SpanReach) * 8 / 7) +
           ends_.size() * sizeof(ends_[0]);
}

}  // namespace sla::store
