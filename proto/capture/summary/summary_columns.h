// SummaryColumns: some of a channel's summaries in order, column by column. Of a large file they are millions, and most channels
// have no levels, no spans, no values or no losses; where memory is new to the process, its pages cost more than what is in
// them.
//
// Memory: 44 bytes a summary; 16 more where there are values, 16 of levels, 36 of spans, 16 of losses.
#pragma once

#include "proto/base/columns.h"
#include "proto/capture/summary/lane_summary.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sla::capture {

// What fits in a few bits of a LaneSummary.
struct SummaryState {
    std::uint8_t kinds = 0;
    Level level_before : 2 = Level::kUnknown;
    Level level_after : 2 = Level::kUnknown;
    bool has_value : 1 = false;
    bool has_number : 1 = false;
    bool has_text : 1 = false;
    bool opaque : 1 = false;

    void put_into(LaneSummary& summary) const;
};
SummaryState state_of(const LaneSummary& summary);
// The same as numbers of summary.proto.
std::uint32_t flags_of(const LaneSummary& summary);
SummaryState state_of(std::uint32_t kinds, std::uint32_t flags);

// Whole columns, as LaneSummary has them: each as long as `states`, or empty where all is zero.
struct SummaryFields {
    std::vector<SummaryState> states;
    std::vector<std::uint64_t> first_index;
    std::vector<std::uint64_t> first_tick;
    std::vector<std::uint64_t> last_tick;
    std::vector<std::uint64_t> rows;
    std::vector<std::uint64_t> gap_rows;
    std::vector<std::uint64_t> lost;
    std::vector<std::uint64_t> longest_pause;
    std::vector<std::uint64_t> high_ticks;
    std::vector<std::uint64_t> busy_ticks;
    std::vector<std::uint64_t> begins;
    std::vector<std::uint64_t> loose_ends;
    std::vector<double> min;
    std::vector<double> max;
    std::vector<std::uint32_t> depth_before;
    std::vector<std::uint32_t> depth_after;
    std::vector<std::uint32_t> deepest;
    std::vector<std::uint32_t> span_rows;
};

class SummaryColumns {
public:
    SummaryColumns() = default;
    SummaryColumns(ChannelId channel, SummaryFields&& fields);

    // All of one channel.
    void push_back(const LaneSummary& summary);
    void set(std::size_t at, const LaneSummary& summary);

    [[nodiscard]] bool empty() const { return states_.empty(); }
    [[nodiscard]] std::size_t size() const { return states_.size(); }
    [[nodiscard]] LaneSummary operator[](std::size_t at) const;
    [[nodiscard]] LaneSummary back() const { return (*this)[size() - 1]; }
    // The first whose last_tick >= tick; size() when none. O(log).
    [[nodiscard]] std::size_t first_until(std::uint64_t tick) const;

private:
    // visit(column, field) for each field that has a column.
    template <typename Columns, typename Fields, typename Visit>
    static void each_field(Columns& columns, Fields& fields, const Visit& visit);

    ChannelId channel_;
    std::vector<SummaryState> states_;
    SparseColumn<std::uint64_t> first_indices_;
    SparseColumn<std::uint64_t> first_ticks_;
    SparseColumn<std::uint64_t> last_ticks_;
    SparseColumn<std::uint64_t> rows_;
    SparseColumn<std::uint64_t> longest_pauses_;
    SparseColumn<std::uint64_t> gap_rows_;
    SparseColumn<std::uint64_t> lost_;
    SparseColumn<std::uint64_t> high_ticks_;
    SparseColumn<std::uint64_t> busy_ticks_;
    SparseColumn<std::uint64_t> begins_;
    SparseColumn<std::uint64_t> loose_ends_;
    SparseColumn<double> min_;
    SparseColumn<double> max_;
    SparseColumn<std::uint32_t> depth_before_;
    SparseColumn<std::uint32_t> depth_after_;
    SparseColumn<std::uint32_t> deepest_;
    SparseColumn<std::uint32_t> span_rows_;
};

}  // namespace sla::capture
