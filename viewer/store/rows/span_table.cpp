#include "viewer/store/rows/span_table.h"

#include <algorithm>
#include <bit>

namespace sla::store {

SpanTable::SpanTable(std::uint64_t first_id, const std::vector<NumberedSpan>& open, Filling filling)
    : first_id_(first_id), before_(open), has_forest_(filling == Filling::kGrowing) {
    for (const NumberedSpan& one : before_) {
        stacks_[one.span.thread].push_back(one.id);
        if (one.span.row < kMaxRows) rows_taken_[one.span.row / 64] |= row_bit(one.span.row);
        rows_ = std::max<std::uint16_t>(rows_, static_cast<std::uint16_t>(one.span.row + 1));
    }
    open_ = deepest_ = before_.size();
    if (open_ > 0) busy_since_ = kNever;
}

void SpanTable::settle() {
    if (has_forest_) return;
    has_forest_ = true;
    while ((forest_.size() + 1) * kLeaf <= spans_.size()) forest_.append(reach_of_leaf(forest_.size()));
}

SpanReach SpanTable::reach_of_leaf(std::size_t leaf) const {
    SpanReach reach;
    for (std::size_t at = leaf * kLeaf; at < (leaf + 1) * kLeaf; ++at) reach.absorb(reach_of(spans_[at]));
    return reach;
}

// The oldest that have ended, and of those still open as many as are too many.
void SpanTable::index_ended() {
    for (std::size_t end = (forest_.size() + 1) * kLeaf; end <= spans_.size(); end += kLeaf) {
        const SpanReach reach = reach_of_leaf(forest_.size());
        if (reach.end == kNever && spans_.size() - end < kUnindexed) return;
        forest_.append(reach);
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
    for (std::size_t i = 0; i < rows_taken_.size(); ++i) {
        const auto bit = static_cast<unsigned>(std::countr_one(rows_taken_[i]));
        if (bit == 64) continue;
        const auto row = static_cast<std::uint16_t>(64 * i + bit);
        rows_taken_[i] |= row_bit(row);
        rows_ = std::max<std::uint16_t>(rows_, static_cast<std::uint16_t>(row + 1));
        return row;
    }
    return kMaxRows - 1;
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
    if (has_forest_ && spans_.size() % kLeaf == 0) index_ended();
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
    ends_.push_back({index, id});
}

void SpanTable::gap(std::uint64_t index, std::uint64_t tick, std::uint32_t thread) {
    if (open_ == 0) return;
    const auto cut = [&](std::vector<std::uint64_t>& stack) {
        for (const std::uint64_t id : stack) close(id, index, tick, SpanState::kCut);
        stack.clear();
    };
    if (thread == 0) {
        for (auto& [owner, stack] : stacks_) cut(stack);
    } else if (std::vector<std::uint64_t>* const stack = find_stack(thread)) {
        cut(*stack);
    }
}

void SpanTable::close(std::uint64_t id, std::uint64_t index, std::uint64_t tick, SpanState state) {
    const bool own = id >= first_id_;
    Span& span = own ? spans_[id - first_id_] : const_cast<NumberedSpan*>(before_of(id))->span;
    span.end_index = index;
    span.end_tick = tick;
    span.state = state;
    if (span.row < kMaxRows) rows_taken_[span.row / 64] &= ~row_bit(span.row);
    const std::uint64_t leaf = (id - first_id_) / kLeaf;
    if (own && leaf < forest_.size()) forest_.update(leaf, reach_of_leaf(leaf));
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
    const std::size_t at =
        spans_.partition_point(0, spans_.size(), [=](const Span& span) { return span.begin_index < index; });
    if (at == spans_.size() || spans_[at].begin_index != index) return std::nullopt;
    return first_id_ + at;
}

std::optional<std::uint64_t> SpanTable::span_of_end(std::uint64_t index) const {
    const std::size_t at = ends_.partition_point(0, ends_.size(), [=](const End& end) { return end.index < index; });
    if (at == ends_.size() || ends_[at].index != index) return std::nullopt;
    return ends_[at].span;
}

std::uint64_t SpanTable::lower_bound(std::uint64_t tick, std::uint64_t from) const {
    const std::size_t first = static_cast<std::size_t>(from - first_id_);
    std::size_t reach = 1;
    while (first + reach < spans_.size() && spans_[first + reach].begin_tick < tick) reach *= 2;
    const std::size_t end = std::min(first + reach + 1, spans_.size());
    return first_id_ + spans_.partition_point(first, end, [=](const Span& span) { return span.begin_tick < tick; });
}

std::uint64_t SpanTable::memory_bytes() const {
    return before_.size() * sizeof(NumberedSpan) + spans_.size() * sizeof(Span) +
           forest_.size() * sizeof(SpanReach) * 8 / 7 + ends_.size() * sizeof(End);
}

std::uint64_t SpanTable::bytes_for(std::size_t before, std::size_t own) {
    return before * (sizeof(NumberedSpan) + sizeof(End)) +
           own * (sizeof(Span) + sizeof(End) + sizeof(SpanReach) / kLeaf * 8 / 7);
}

}  // namespace sla::store
