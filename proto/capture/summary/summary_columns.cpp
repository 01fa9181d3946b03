#include "proto/capture/summary/summary_columns.h"

#include <utility>

namespace sla::capture {
namespace {

constexpr std::uint32_t kLevelBits = 3;
constexpr std::uint32_t kHasValue = 1 << 4;
constexpr std::uint32_t kOpaque = 1 << 5;
constexpr std::uint32_t kHasNumber = 1 << 6;
constexpr std::uint32_t kHasText = 1 << 7;

Level level_of(std::uint32_t bits) {
    return bits > static_cast<std::uint32_t>(Level::kHigh) ? Level::kUnknown : static_cast<Level>(bits);
}

}  // namespace

void SummaryState::put_into(LaneSummary& summary) const {
    summary.kinds = kinds;
    summary.level_before = level_before;
    summary.level_after = level_after;
    summary.has_value = has_value;
    summary.has_number = has_number;
    summary.has_text = has_text;
    summary.opaque = opaque;
}

SummaryState state_of(const LaneSummary& summary) {
    SummaryState state;
    state.kinds = summary.kinds;
    state.level_before = summary.level_before;
    state.level_after = summary.level_after;
    state.has_value = summary.has_value;
    state.has_number = summary.has_number;
    state.has_text = summary.has_text;
    state.opaque = summary.opaque;
    return state;
}

std::uint32_t flags_of(const LaneSummary& summary) {
    return static_cast<std::uint32_t>(summary.level_before) | static_cast<std::uint32_t>(summary.level_after) << 2 |
           (summary.has_value ? kHasValue : 0) | (summary.opaque ? kOpaque : 0) | (summary.has_number ? kHasNumber : 0) |
           (summary.has_text ? kHasText : 0);
}

SummaryState state_of(std::uint32_t kinds, std::uint32_t flags) {
    SummaryState state;
    state.kinds = static_cast<std::uint8_t>(kinds);
    state.level_before = level_of(flags & kLevelBits);
    state.level_after = level_of(flags >> 2 & kLevelBits);
    state.has_value = (flags & kHasValue) != 0;
    state.has_number = (flags & kHasNumber) != 0;
    state.has_text = (flags & kHasText) != 0;
    state.opaque = (flags & kOpaque) != 0;
    return state;
}

template <typename Columns, typename Fields, typename Visit>
void SummaryColumns::each_field(Columns& columns, Fields& fields, const Visit& visit) {
    visit(columns.first_indices_, fields.first_index);
    visit(columns.first_ticks_, fields.first_tick);
    visit(columns.last_ticks_, fields.last_tick);
    visit(columns.rows_, fields.rows);
    visit(columns.gap_rows_, fields.gap_rows);
    visit(columns.lost_, fields.lost);
    visit(columns.longest_pauses_, fields.longest_pause);
    visit(columns.high_ticks_, fields.high_ticks);
    visit(columns.busy_ticks_, fields.busy_ticks);
    visit(columns.begins_, fields.begins);
    visit(columns.loose_ends_, fields.loose_ends);
    visit(columns.min_, fields.min);
    visit(columns.max_, fields.max);
    visit(columns.depth_before_, fields.depth_before);
    visit(columns.depth_after_, fields.depth_after);
    visit(columns.deepest_, fields.deepest);
    visit(columns.span_rows_, fields.span_rows);
}

SummaryColumns::SummaryColumns(ChannelId channel, SummaryFields&& fields)
    : channel_(channel), states_(std::move(fields.states)) {
    each_field(*this, fields, [](auto& column, auto& values) { column.assign(std::move(values)); });
}

void SummaryColumns::push_back(const LaneSummary& summary) {
    states_.emplace_back();
    set(size() - 1, summary);
}

void SummaryColumns::set(std::size_t at, const LaneSummary& summary) {
    channel_ = summary.channel;
    states_[at] = state_of(summary);
    each_field(*this, summary, [&](auto& column, const auto& field) { column.set(at, field); });
}

LaneSummary SummaryColumns::operator[](std::size_t at) const {
    LaneSummary summary;
    summary.channel = channel_;
    each_field(*this, summary, [at](const auto& column, auto& field) { field = column[at]; });
    states_[at].put_into(summary);
    return summary;
}

std::size_t SummaryColumns::first_until(std::uint64_t tick) const {
    return last_ticks_.first_from(tick, size());
}

}  // namespace sla::capture
