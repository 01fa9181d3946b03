// LaneAnswer: the answer of a question as the rows of a lane. What kind of rows they are is said by the names of its columns:
//
//   tick                                       ticks
//   tick, value                                a line of numbers
//   tick, level                                levels, 0 or not
//   tick, text                                 texts
//   begin_tick, end_tick (or begin, end)       spans, with a value where there is a column of that name; end NULL: open
//
// Other columns are passed by, and so are rows whose tick is no whole number or whose value is NULL: how many is said. Rows may
// come in any order. Bounded: so many rows and bytes of texts. Spans that overlap without nesting stand beside each other.
#pragma once

#include "viewer/sql/engine.h"
#include "viewer/store/lane.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sla::sql {

class LaneAnswer final : public Answer {
public:
    static constexpr std::size_t kMaxRows = 1'000'000;
    static constexpr std::size_t kMaxTextBytes = std::size_t{64} << 20;
    static constexpr std::size_t kMaxOverlapping = 1000;  // spans at a time

    Result<void> begin(const std::vector<std::string>& columns) override;
    Result<bool> row(const AnswerRow& row) override;

    // Once, when all rows have come: into a lane without rows.
    Result<void> fill(store::Lane& lane);
    [[nodiscard]] std::size_t rows() const { return rows_.size(); }
    // "the first 1,000,000 rows, 3 left out: no tick or value"; empty: there is nothing to say beside the rows.
    [[nodiscard]] std::string words() const;

private:
    enum class Form : std::uint8_t { kTicks, kValues, kLevels, kTexts, kSpans };
    struct Row {
        std::uint64_t tick = 0;
        std::uint64_t end = store::kNever;  // of spans; kNever: open
        std::uint64_t value = 0;            // of texts their number
        std::uint8_t code = 0;
    };
    struct Point;
    [[nodiscard]] std::optional<Row> row_of(const AnswerRow& row);
    [[nodiscard]] Result<std::vector<Point>> points() const;

    Form form_ = Form::kTicks;
    std::size_t tick_column_ = 0;
    std::size_t end_column_ = 0;
    std::optional<std::size_t> value_column_;
    std::vector<Row> rows_;
    std::vector<std::string> texts_;
    std::size_t text_bytes_ = 0;
    std::uint64_t left_out_ = 0;
    bool is_cut_ = false;
};

}  // namespace sla::sql
