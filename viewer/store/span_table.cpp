#include "viewer/store/span_table.h"

#include <algorithm>

namespace sla::store {

namespace {

// A lane whose begins never end would grow without bound; beyond this many rows spans share the last one.
constexpr std::size_t kMaxRows = 256;

}  // namespace

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
    auto& stack = stacks_[thread];
    Span span;
    span.begin_index = index;
    span.begin_tick = tick;
    span.thread = thread;
    span.depth = static_cast<std::uint16_t>(std::min<std::size_t>(stack.size(), 0xffff));
    span.row = take_row();
    stack.push_back(spans_.size());
    spans_.push_back(span);
    forest_.append({kNever, kNever});
    ++open_;
}

void SpanTable::end(std::uint64_t index, std::uint64_t tick, std::uint32_t thread) {
    const auto found = stacks_.find(thread);
    if (found == stacks_.end() || found->second.empty()) {
        ++unmatched_ends_;
        return;
    }
    const std::size_t id = found->second.back();
    found->second.pop_back();
    close(id, index, tick, SpanState::kClosed);
    ends_.emplace_back(index, id);
}

void SpanTable::gap(std::uint64_t index, std::uint64_t tick, std::uint32_t thread) {
    if (open_ == 0) return;
    for (auto& [owner, stack] : stacks_) {
        if (thread != 0 && owner != thread) continue;
        for (const std::size_t id : stack) close(id, index, tick, SpanState::kCut);
        stack.clear();
    }
}

void SpanTable::close(std::size_t id, std::uint64_t index, std::uint64_t tick, SpanState state) {
    Span& span = spans_[id];
    span.end_index = index;
    span.end_tick = tick;
    span.state = state;
    if (span.row < row_taken_.size()) row_taken_[span.row] = false;
    forest_.update(id, {tick, tick - span.begin_tick});
    --open_;
}

std::optional<std::size_t> SpanTable::span_of_begin(std::uint64_t index) const {
    const auto at = std::lower_bound(spans_.begin(), spans_.end(), index,
                                     [](const Span& span, std::uint64_t wanted) { return span.begin_index < wanted; });
    if (at == spans_.end() || at->begin_index != index) return std::nullopt;
    return static_cast<std::size_t>(at - spans_.begin());
}

std::optional<std::size_t> SpanTable::span_of_end(std::uint64_t index) const {
    const auto at = std::lower_bound(ends_.begin(), ends_.end(), index,
                                     [](const auto& entry, std::uint64_t wanted) { return entry.first < wanted; });
    if (at == ends_.end() || at->first != index) return std::nullopt;
    return at->second;
}

std::size_t SpanTable::lower_bound(std::uint64_t tick) const {
    const auto at = std::lower_bound(spans_.begin(), spans_.end(), tick,
                                     [](const Span& span, std::uint64_t wanted) { return span.begin_tick < wanted; });
    return static_cast<std::size_t>(at - spans_.begin());
}

}  // namespace sla::store
