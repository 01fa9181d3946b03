// The table's columns: what they are called and where they stand, so that heads and cells always align.
#pragma once

#include "viewer/ui/layout.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <optional>

namespace sla::ui {

enum class TableColumn : std::size_t {
    kIndex,
    kTime,
    kChannel,
    kKind,
    kValue,
    kText,
    kDeltaAny,
    kDeltaLane,
    kDeltaEvent,
    kDeltaTrigger,
    kDeltaA,
    kError
};
inline constexpr std::size_t kTableColumns = 12;

// What a person wants of each column: to see it, not to see it; nothing: as there is room.
using ColumnChoices = std::array<std::optional<bool>, kTableColumns>;

struct TableColumnLook {
    const char* id;  // in the settings
    const char* title;
    float width;  // at scale 1; the least for those that stretch
    float stretch;
    bool number;  // aligned right
    bool sorts;   // the table can be put in its order
    const char* tooltip;
};

inline constexpr std::array<TableColumnLook, kTableColumns> kTableLooks{{
    {"index", "index", 76, 0, true, false, "Number of the row among those shown"},
    {"time", "time", 136, 0, true, true, "Since t = 0: the capture's start, or where it was set"},
    {"channel", "channel", 96, 1.0F, false, true, "Its lane"},
    {"kind", "kind", 44, 0, false, true, "tick, begin, end, level, value, text; gap: events were lost here"},
    {"value", "value", 84, 0.4F, true, true, "What the event carries; of a gap: how many were lost"},
    {"text", "text", 64, 1.4F, false, true, "Text, or what the value means"},
    {"delta_any", "\xCE\x94 any", 92, 0, true, true, "Time since the row before, of any channel"},
    {"delta_lane", "\xCE\x94 lane", 92, 0, true, true, "Time since the event before on the same channel"},
    {"delta_same", "\xCE\x94 same", 92, 0, true, false,
     "Time since the last event of this kind and value on this channel; >: longer than that"},
    {"delta_trigger", "\xCE\x94 trigger", 92, 0, true, false,
     "Time since the nearest shot of a trigger, before it with a minus; without shots since t = 0"},
    {"delta_a", "\xCE\x94 A", 92, 0, true, false, "Time since cursor A"},
    {"error", "\xC2\xB1", 68, 0, true, false, "Error of the longer \xCE\x94: granularity, cost of a stamp, clock"},
}};

// What decides which columns are there: what a person wants of each, else what there is something to say for and room.
struct TableShow {
    bool with_a = false;        // cursor A is set
    bool with_trigger = false;  // there is something that Δ trigger is counted from
    const ColumnChoices* choices = nullptr;

    [[nodiscard]] bool can_have(std::size_t i) const {
        if (i == static_cast<std::size_t>(TableColumn::kDeltaTrigger)) return with_trigger;
        return with_a || i != static_cast<std::size_t>(TableColumn::kDeltaA);
    }
    // In a row that is so wide at scale 1.
    [[nodiscard]] bool has(std::size_t i, float width) const {
        constexpr float kRoomForTrigger = 1100;
        constexpr float kRoomForSame = 1160;
        if (!can_have(i)) return false;
        if (choices != nullptr && (*choices)[i]) return *(*choices)[i];
        if (i == static_cast<std::size_t>(TableColumn::kDeltaTrigger)) return width >= kRoomForTrigger;
        if (i == static_cast<std::size_t>(TableColumn::kDeltaEvent)) return width >= kRoomForSame;
        return true;
    }
};

inline constexpr float kTableGap = 12;

// The least that the columns need, at scale 1: more than the row has when a person wants many; then they are scrolled.
inline float table_width(float row_width, const TableShow& show) {
    float width = kTableGap;
    for (std::size_t i = 0; i < kTableColumns; ++i) {
        if (show.has(i, row_width)) width += kTableLooks[i].width + kTableGap;
    }
    return width;
}

// Where each column stands in a row; numbers and words keep a gap between them.
inline std::array<Rect, kTableColumns> table_columns(const Rect& row, float scale, const TableShow& show) {
    const float row_width = row.width / scale;
    float stretches = 0;
    for (std::size_t i = 0; i < kTableColumns; ++i) {
        if (show.has(i, row_width)) stretches += kTableLooks[i].stretch;
    }
    const float spare = std::fmax(0.0F, row_width - table_width(row_width, show));
    std::array<Rect, kTableColumns> out;
    float x = kTableGap;
    for (std::size_t i = 0; i < kTableColumns; ++i) {
        const bool there = show.has(i, row_width);
        const float stretched = stretches > 0 ? spare * kTableLooks[i].stretch / stretches : 0;
        const float width = there ? kTableLooks[i].width + stretched : 0;
        out[i] = {row.x + std::round(x * scale), row.y, std::round(width * scale), row.height};
        if (there) x += width + kTableGap;
    }
    return out;
}

}  // namespace sla::ui
