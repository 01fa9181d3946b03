// The event table's columns: what they are called, and which of them a person wants.
#pragma once

#include <array>
#include <cstddef>
#include <optional>

namespace sla::workspace {

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
    {"channel", "channel", false, true, "Its lane"},
    {"kind", "kind", false, true, "tick, begin, end, level, value, text; gap: events are missing here"},
    {"value", "value", true, true, "What the event carries; of a gap: how many are missing"},
    {"text", "text", false, true, "Text, or what the value means"},
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
