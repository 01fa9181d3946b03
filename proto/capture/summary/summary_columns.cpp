#include "proto/capture/summary/summary_columns.h"

#include <algorithm>

namespace sla::capture {

void SummaryColumns::reserve(std::size_t summaries) {
    expected_ = summaries;
    first_indices_.reserve(summaries);
    first_ticks_.reserve(summaries);
    last_ticks_.reserve(summaries);
    rows_.reserve(summaries);
    longest_pauses_.reserve(summaries);
    states_.reserve(summaries);
    for (auto* column : {&gap_rows_, &lost_, &high_ticks_, &busy_ticks_, &begins_, &loose_ends_}) column->reserve(summaries);
    for (auto* column : {&min_, &max_}) column->reserve(summaries);
    for (auto* column : {&depth_before_, &depth_after_, &deepest_, &span_rows_}) column->reserve(summaries);
}

void SummaryColumns::push_back(const LaneSummary& summary) {
    first_indices_.emplace_back();
    first_ticks_.emplace_back();
    last_ticks_.emplace_back();
    rows_.emplace_back();
    longest_pauses_.emplace_back();
    states_.emplace_back();
    set(size() - 1, summary);
}

void SummaryColumns::set(std::size_t at, const LaneSummary& summary) {
    channel_ = summary.channel;
    first_indices_[at] = summary.first_index;
    first_ticks_[at] = summary.first_tick;
    last_ticks_[at] = summary.last_tick;
    rows_[at] = summary.rows;
    longest_pauses_[at] = summary.longest_pause;
    State& state = states_[at];
    state.kinds = summary.kinds;
    state.level_before = summary.level_before;
    state.level_after = summary.level_after;
    state.has_value = summary.has_value;
    state.has_number = summary.has_number;
    state.has_text = summary.has_text;
    state.opaque = summary.opaque;
    gap_rows_.set(at, summary.gap_rows, expected_);
    lost_.set(at, summary.lost, expected_);
    high_ticks_.set(at, summary.high_ticks, expected_);
    busy_ticks_.set(at, summary.busy_ticks, expected_);
    begins_.set(at, summary.begins, expected_);
    loose_ends_.set(at, summary.loose_ends, expected_);
    min_.set(at, summary.min, expected_);
    max_.set(at, summary.max, expected_);
    depth_before_.set(at, summary.depth_before, expected_);
    depth_after_.set(at, summary.depth_after, expected_);
    deepest_.set(at, summary.deepest, expected_);
    span_rows_.set(at, summary.span_rows, expected_);
}

void SummaryColumns::append(const SummaryColumns& behind) {
    for (const LaneSummary& summary : behind) push_back(summary);
}

void SummaryColumns::reverse() {
    const std::size_t rows = size();
    std::reverse(first_indices_.begin(), first_indices_.end());
    std::reverse(first_ticks_.begin(), first_ticks_.end());
    std::reverse(last_ticks_.begin(), last_ticks_.end());
    std::reverse(rows_.begin(), rows_.end());
    std::reverse(longest_pauses_.begin(), longest_pauses_.end());
    std::reverse(states_.begin(), states_.end());
    for (auto* column : {&gap_rows_, &lost_, &high_ticks_, &busy_ticks_, &begins_, &loose_ends_}) column->reverse(rows);
    for (auto* column : {&min_, &max_}) column->reverse(rows);
    for (auto* column : {&depth_before_, &depth_after_, &deepest_, &span_rows_}) column->reverse(rows);
}

LaneSummary SummaryColumns::operator[](std::size_t at) const {
    LaneSummary summary;
    summary.channel = channel_;
    summary.first_index = first_indices_[at];
    summary.first_tick = first_ticks_[at];
    summary.last_tick = last_ticks_[at];
    summary.rows = rows_[at];
    summary.gap_rows = gap_rows_[at];
    summary.lost = lost_[at];
    summary.longest_pause = longest_pauses_[at];
    summary.high_ticks = high_ticks_[at];
    summary.busy_ticks = busy_ticks_[at];
    summary.begins = begins_[at];
    summary.loose_ends = loose_ends_[at];
    summary.min = min_[at];
    summary.max = max_[at];
    summary.depth_before = depth_before_[at];
    summary.depth_after = depth_after_[at];
    summary.deepest = deepest_[at];
    summary.span_rows = span_rows_[at];
    const State& state = states_[at];
    summary.kinds = state.kinds;
    summary.level_before = state.level_before;
    summary.level_after = state.level_after;
    summary.has_value = state.has_value;
    summary.has_number = state.has_number;
    summary.has_text = state.has_text;
    summary.opaque = state.opaque;
    return summary;
}

std::size_t SummaryColumns::first_until(std::uint64_t tick) const {
    return static_cast<std::size_t>(std::lower_bound(last_ticks_.begin(), last_ticks_.end(), tick) - last_ticks_.begin());
}

}  // namespace sla::capture
