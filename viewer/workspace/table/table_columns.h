// The event table's columns: what they are called, which of them a person wants, how wide and in which order.
#pragma once

#include "viewer/workspace/view/kept_question.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <numeric>
#include <optional>

namespace sla::workspace {

enum class TableColumn : std::size_t {
    kIndex,
    kTime,
    kSource,
    kChannel,
    kKind,
    kValue,
    kText,
    kQuestion1,  // answers to questions (KeptAnswers): kMaxQuestionColumns of them
    kQuestion2,
    kQuestion3,
    kQuestion4,
    kDeltaAny,
    kDeltaLane,
    kDeltaEvent,
    kDeltaTrigger,
    kDeltaA,
    kError
};
inline constexpr std::size_t kTableColumns = 17;

// The n-th of them; which one a column is, nothing: it is none.
constexpr TableColumn question_column(std::size_t n) {
    return static_cast<TableColumn>(static_cast<std::size_t>(TableColumn::kQuestion1) + n);
}
constexpr std::optional<std::size_t> question_of_column(std::size_t column) {
    const auto first = static_cast<std::size_t>(TableColumn::kQuestion1);
    if (column < first || column >= first + kMaxQuestionColumns) return std::nullopt;
    return column - first;
}

// What a person wants of each column: to see it, not to see it; nothing: as there is space.
using ColumnChoices = std::array<std::optional<bool>, kTableColumns>;

// What a person dragged a column to, at scale 1; 0: as there is space.
using ColumnWidths = std::array<float, kTableColumns>;
inline constexpr float kMinColumnWidth = 24;
inline constexpr float kMaxColumnWidth = 2000;

// Which column stands at each place, from the left: every one of them once.
using ColumnPlaces = std::array<std::size_t, kTableColumns>;

inline ColumnPlaces columns_as_declared() {
    ColumnPlaces places{};
    std::iota(places.begin(), places.end(), std::size_t{0});
    return places;
}

// Takes `column` to where `other` stands; those between make space.
inline void move_column(ColumnPlaces& places, std::size_t column, std::size_t other) {
    const auto from = std::find(places.begin(), places.end(), column);
    const auto to = std::find(places.begin(), places.end(), other);
    if (from < to) std::rotate(from, from + 1, to + 1);
    if (to < from) std::rotate(to, from, from + 1);
}

struct TableColumnInfo {
    const char* id;  // in the settings
    const char* title;
    bool number;  // aligned right
    bool sorts;   // the table can be put in its order
    const char* tooltip;
};

inline constexpr std::array<TableColumnInfo, kTableColumns> kTableColumnInfo{{
    {"index", "index", true, false, "Number of the row among those shown"},
    {"time", "time", true, true, "Since t = 0: the capture's start, or where it was set"},
    {"source", "source", false, false, "The program, with the number of its process"},
    {"channel", "channel", false, true, "Its lane"},
    {"kind", "kind", false, true, "tick, begin, end, level, value, text; gap: events are missing here"},
    {"value", "value", true, true, "What the event carries; of a gap: how many are missing"},
    {"text", "text", false, true, "Text, or what the value means"},
    {"question_1", "question 1", true, false, "The answer to a question, for this row"},
    {"question_2", "question 2", true, false, "The answer to a question, for this row"},
    {"question_3", "question 3", true, false, "The answer to a question, for this row"},
    {"question_4", "question 4", true, false, "The answer to a question, for this row"},
    {"delta_any", "\xCE\x94 any", true, true, "Time since the row before, of any channel"},
    {"delta_lane", "\xCE\x94 lane", true, true, "Time since the event before on the same channel"},
    {"delta_same", "\xCE\x94 same", true, false,
     "Time since the last event of this kind and value on this channel; >: longer than that"},
    {"delta_trigger", "\xCE\x94 trigger", true, false,
     "Time since the nearest shot of a trigger, before it with a minus; without shots since t = 0"},
    {"delta_a", "\xCE\x94 A", true, false, "Time since cursor A"},
    {"error", "\xC2\xB1", true, false, "Error of the longer \xCE\x94: granularity, cost of a stamp, clock"},
}};

}  // namespace sla::workspace
