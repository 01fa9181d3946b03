// ColumnFilter: an EventFilter over many rows of one lane at once: what names decide is decided once, numbers and kinds run
// down the columns. 1 to 3 ns a row and condition, a look at a text 100 (tests/bench/export_bench).
//
// Value type; what it was made of outlives it. Any thread, one at a time.
#pragma once

#include "viewer/analysis/filter/event_filter.h"
#include "viewer/store/rows/run.h"

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace sla::analysis {

class ColumnFilter {
public:
    ColumnFilter(const EventFilter& filter, const store::Session& session, const store::Lane& lane);

    // It looks at texts, which stay with the lane: then only the lane's own rows can be matched.
    [[nodiscard]] bool needs_texts() const { return needs_texts_; }

    static constexpr std::size_t kBlock = 512;
    using Hits = std::array<std::uint8_t, kBlock>;
    // 1 for each of the rows that matches, else 0; at most kBlock of them, of which the first is the lane's row `first`.
    void match(const store::Columns& rows, std::uint64_t first, Hits& hits);

private:
    // Numbers of one type that match: those in [low, low + span].
    struct NumberRange {
        bool any = false;
        std::uint64_t turned = 0;  // the bit by which signed numbers are ordered like unsigned ones
        std::uint64_t low = 0;
        std::uint64_t span = 0;

        [[nodiscard]] bool holds(std::uint64_t bits) const { return any && (bits ^ turned) - low <= span; }
    };
    // What a node of the filter comes to for this lane.
    struct Condition {
        enum class What : std::uint8_t { kAnd, kOr, kNot, kAlways, kNever, kCode, kValue, kTick, kThread, kText };
        What what = What::kNever;
        bool turned_round = false;         // !=
        std::array<bool, 256> codes = {};  // kCode: those that match
        NumberRange of_signed;             // kValue
        NumberRange of_unsigned;           // kValue, kTick
        std::unordered_map<std::uint32_t, bool> threads;
    };
    struct Rows {
        const store::Columns& columns;
        std::uint64_t first;
    };

    [[nodiscard]] Condition condition_of(const EventFilter::Node& node) const;
    void match_node(std::size_t at, const Rows& rows, const std::uint8_t* wanted, Hits& hits);
    void match_values(const EventFilter::Node& node, const Condition& condition, const Rows& rows, Hits& hits) const;
    bool thread_matches(const EventFilter::Node& node, Condition& condition, std::uint32_t thread) const;

    const EventFilter* filter_;
    const store::Session* session_;
    const store::Lane* lane_;
    std::vector<Condition> conditions_;  // by node
    bool needs_texts_ = false;
};

}  // namespace sla::analysis
