#include "proto/capture/summary/summary_columns.h"

#include <algorithm>

namespace sla::capture {

template <typename Columns, typename Summary, typename Visit>
void SummaryColumns::each_field(Columns& columns, Summary& summary, const Visit& visit) {
    visit(columns.first_indices_, summary.first_index);
    visit(columns.first_ticks_, summary.first_tick);
    visit(columns.last_ticks_, summary.last_tick);
    visit(columns.rows_, summary.rows);
    visit(columns.gap_rows_, summary.gap_rows);
    visit(columns.lost_, summary.lost);
    visit(columns.longest_pauses_, summary.longest_pause);
    visit(columns.high_ticks_, summary.high_ticks);
    visit(columns.busy_ticks_, summary.busy_ticks);
    visit(columns.begins_, summary.begins);
    visit(columns.loose_ends_, summary.loose_ends);
    visit(columns.min_, summary.min);
    visit(columns.max_, summary.max);
    visit(columns.depth_before_, summary.depth_before);
    visit(columns.depth_after_, summary.depth_after);
    visit(columns.deepest_, summary.deepest);
    visit(columns.span_rows_, summary.span_rows);
}

void SummaryColumns::reserve(std::size_t summaries) {
    expected_ = summaries;
    states_.reserve(summaries);
    const LaneSummary none;
    each_field(*this, none, [=](auto& column, const auto&) { column.reserve(summaries); });
}

void SummaryColumns::push_back(const LaneSummary& summary) {
    states_.emplace_back();
    set(size() - 1, summary);
}

void SummaryColumns::set(std::size_t at, const LaneSummary& summary) {
    channel_ = summary.channel;
    State& state = states_[at];
    state.kinds = summary.kinds;
    state.level_before = summary.level_before;
    state.level_after = summary.level_after;
    state.has_value = summary.has_value;
    state.has_number = summary.has_number;
    state.has_text = summary.has_text;
    state.opaque = summary.opaque;
    each_field(*this, summary, [&](auto& column, const auto& field) { column.set(at, field, expected_); });
}

void SummaryColumns::append(const SummaryColumns& behind) {
    for (const LaneSummary& summary : behind) push_back(summary);
}

void SummaryColumns::reverse() {
    std::reverse(states_.begin(), states_.end());
    const LaneSummary none;
    each_field(*this, none, [this](auto& column, const auto&) { column.reverse(size()); });
}

LaneSummary SummaryColumns::operator[](std::size_t at) const {
    LaneSummary summary;
    summary.channel = channel_;
    each_field(*this, summary, [at](const auto& column, auto& field) { field = column[at]; });
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
    return last_ticks_.first_from(tick, size());
}

}  // namespace sla::capture
