// The table's columns: what they are called and where they stand, so that heads and cells always align.
#pragma once

#include "viewer/ui/layout.h"

#include <array>
#include <cmath>
#include <cstddef>

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
    kDeltaA,
    kError
};
inline constexpr std::size_t kTableColumns = 11;

struct TableColumnLook {
    const char* title;
    float width;  // at scale 1; the least for those that stretch
    float stretch;
    bool number;  // aligned right
    bool sorts;   // the table can be put in its order
    const char* tooltip;
};

inline constexpr std::array<TableColumnLook, kTableColumns> kTableLooks{{
    {"index", 76, 0, true, false, "Number of the row among those shown"},
    {"time", 136, 0, true, true, "Since t = 0: the capture's start, or where it was set"},
    {"channel", 96, 1.0F, false, true, "Its lane"},
    {"kind", 44, 0, false, true, "tick, begin, end, level, value, text; gap: events were lost here"},
    {"value", 84, 0.4F, true, true, "What the event carries; of a gap: how many were lost"},
    {"text", 64, 1.4F, false, true, "Text, or what the value means"},
    {"\xCE\x94 any", 92, 0, true, true, "Time since the row before, of any channel"},
    {"\xCE\x94 lane", 92, 0, true, true, "Time since the event before on the same channel"},
    {"\xCE\x94 same", 92, 0, true, false,
     "Time since the last event of this kind and value on this channel; >: longer than that"},
    {"\xCE\x94 A", 92, 0, true, false, "Time since cursor A"},
    {"\xC2\xB1", 68, 0, true, false, "Error of the longer \xCE\x94: granularity, cost of a stamp, clock"},
}};

// Where each column stands in a row; numbers and words keep a gap between them.
// The column of cursor A is there while the cursor is, that of the same event when there is room for it.
inline std::array<Rect, kTableColumns> table_columns(const Rect& row, float scale, bool with_a) {
    constexpr float kGap = 12;
    constexpr float kRoomForSame = 1160;
    const auto there = [&](std::size_t i) {
        if (i == static_cast<std::size_t>(TableColumn::kDeltaEvent)) return row.width / scale >= kRoomForSame;
        return with_a || i != static_cast<std::size_t>(TableColumn::kDeltaA);
    };
    float fixed = kGap;
    float stretches = 0;
    for (std::size_t i = 0; i < kTableColumns; ++i) {
        if (!there(i)) continue;
        fixed += kTableLooks[i].width + kGap;
        stretches += kTableLooks[i].stretch;
    }
    const float spare = std::fmax(0.0F, row.width / scale - fixed);
    std::array<Rect, kTableColumns> out;
    float x = kGap;
    for (std::size_t i = 0; i < kTableColumns; ++i) {
        const float width = there(i) ? kTableLooks[i].width + spare * kTableLooks[i].stretch / stretches : 0;
        out[i] = {row.x + std::round(x * scale), row.y, std::round(width * scale), row.height};
        if (there(i)) x += width + kGap;
    }
    return out;
}

}  // namespace sla::ui
