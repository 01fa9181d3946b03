// Which columns of the event table are there, and where they stand: heads and cells always align.
#pragma once

#include "viewer/ui/widgets/context.h"
#include "viewer/workspace/table/table_columns.h"

#include <array>
#include <cmath>
#include <cstddef>

namespace sla::ui {

// At scale 1; the least for those that stretch.
struct ColumnWidth {
    float width;
    float stretch;
};
inline constexpr std::array<ColumnWidth, kTableColumns> kColumnWidths{{
    {76, 0},
    {136, 0},
    {88, 0.5F},
    {132, 0.3F},
    {44, 0},
    {72, 0.2F},
    {60, 1.5F},
    {84, 0.4F},
    {84, 0.4F},
    {84, 0.4F},
    {84, 0.4F},
    {92, 0},
    {92, 0},
    {92, 0},
    {92, 0},
    {92, 0},
    {68, 0},
}};
inline constexpr float kTableBar = 10;  // the scroll bar beside the rows

// What decides which columns are there: what a person wants of each, else what there is something to say for and space.
struct TableShow {
    bool with_a = false;        // cursor A is set
    bool with_trigger = false;  // there is something that Δ trigger is counted from
    const ColumnChoices* choices = nullptr;
    ColumnWidths widths{};  // that a person dragged them to
    ColumnPlaces places = columns_as_declared();
    std::size_t questions = 0;  // of whose answers there are columns
    enum class Sources { kOne, kSeveral, kOfOneName };
    Sources sources = Sources::kOne;  // that events are from; of one name: what they are called does not tell some apart

    [[nodiscard]] bool can_have(std::size_t i) const {
        if (i == static_cast<std::size_t>(TableColumn::kDeltaTrigger)) return with_trigger;
        if (const auto question = question_of_column(i)) return *question < questions;
        return with_a || i != static_cast<std::size_t>(TableColumn::kDeltaA);
    }
    // At scale 1; the least for those that stretch.
    [[nodiscard]] ColumnWidth width(std::size_t i) const {
        return widths[i] > 0 ? ColumnWidth{widths[i], 0} : kColumnWidths[i];
    }
    // In a row that is so wide at scale 1.
    [[nodiscard]] bool has(std::size_t i, float width) const {
        constexpr float kWidthForIndexToo = 1100;  // beside the source, which tells more
        constexpr float kWidthForTrigger = 1100;
        constexpr float kWidthForSame = 1160;
        constexpr float kWidthForSource = 1260;
        if (!can_have(i)) return false;
        if (choices != nullptr && (*choices)[i]) return *(*choices)[i];
        if (i == static_cast<std::size_t>(TableColumn::kIndex))
            return sources != Sources::kOfOneName || width >= kWidthForIndexToo;
        if (i == static_cast<std::size_t>(TableColumn::kDeltaTrigger)) return width >= kWidthForTrigger;
        if (i == static_cast<std::size_t>(TableColumn::kDeltaEvent)) return width >= kWidthForSame;
        if (i == static_cast<std::size_t>(TableColumn::kSource))
            return sources == Sources::kOfOneName || (sources == Sources::kSeveral && width >= kWidthForSource);
        return true;
    }
};

inline constexpr float kTableGap = 12;

// The least that the columns need, at scale 1: more than the row has when a person wants many; then they are scrolled.
inline float table_width(float row_width, const TableShow& show) {
    float width = kTableGap;
    for (std::size_t i = 0; i < kTableColumns; ++i) {
        if (show.has(i, row_width)) width += show.width(i).width + kTableGap;
    }
    return width;
}

// Where each column stands in a row; numbers and words keep a gap between them.
inline std::array<Rect, kTableColumns> table_columns(const Rect& row, float scale, const TableShow& show) {
    const float row_width = row.width / scale;
    float stretches = 0;
    for (std::size_t i = 0; i < kTableColumns; ++i) {
        if (show.has(i, row_width)) stretches += show.width(i).stretch;
    }
    const float spare = std::fmax(0.0F, row_width - table_width(row_width, show));
    std::array<Rect, kTableColumns> out;
    float x = kTableGap;
    for (const std::size_t i : show.places) {
        const bool there = show.has(i, row_width);
        const float stretched = stretches > 0 ? spare * show.width(i).stretch / stretches : 0;
        const float width = there ? show.width(i).width + stretched : 0;
        out[i] = {row.x + std::round(x * scale), row.y, std::round(width * scale), row.height};
        if (there) x += width + kTableGap;
    }
    return out;
}

TableShow table_show(const Context& context);
// What stands at its head; of a question's its name.
const char* column_title(const Context& context, std::size_t column);
// Whether the column is there; that a person wants it so.
bool has_column(const Context& context, std::size_t column);
// Chosen, dragged or moved by a person.
bool are_columns_arranged(const Context& context);
void arrange_columns_by_space(Context& context);
void choose_column(Context& context, std::size_t column, bool there);

}  // namespace sla::ui
