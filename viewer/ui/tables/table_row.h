// One row of the event table: its words, made once while it is shown, and how it is drawn.
#pragma once

#include "viewer/store/merged.h"
#include "viewer/timeline/readable.h"
#include "viewer/ui/commands/event_columns.h"
#include "viewer/ui/widgets/context.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace sla::ui {

struct RowToShow {
    std::uint64_t number = 0;
    store::RowRef place;
    std::optional<store::RowRef> before;  // the rows that its deltas are counted from
    std::optional<store::RowRef> before_in_lane;
    std::uint64_t repeats = 0;
};

struct TableRow {
    std::uint64_t number = 0;
    store::RowRef place;
    std::string time, source, channel, value, text, delta_any, delta_lane, delta_same, delta_trigger, delta_a, error;
    std::array<std::string, kMaxQuestionColumns> answers;  // of the columns that are answers to questions
    const char* kind = "";
    bool gap = false;
    bool not_kept = false;  // a gap that is no loss
    ImU32 colour = 0;
};

TableRow table_row(const Context& context, const RowToShow& which);
// One for the whole column, so that its digits stand below each other.
timeline::TimeUnit unit_of_times(const Context& context);
// Its cells stand where those of the columns do, whatever their height. True when it was clicked.
bool draw_table_row(Context& context, const TableRow& row, const Rect& place,
                    const std::array<Rect, kTableColumns>& columns);

}  // namespace sla::ui
