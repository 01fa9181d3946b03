// What panels show and what one of them asks of another: panels see this, never each other. Plain values.
#pragma once

#include "viewer/store/lane.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace sla::workspace {

enum class BottomTab : std::uint8_t {
    kEvents,
    kFlame,
    kStatistics,
    kFound,
    kPairs,
    kMarkers,
    kBookmarks,
    kShots,
    kGaps,
    kSql
};
enum class InspectorTab : std::uint8_t { kMeasure, kTrigger, kAgent, kCounters, kRegisters };

// A cursor, a marker or a kept range, by its number among its like.
struct MarkerRef {
    enum class What : std::uint8_t { kCursor, kMarker, kRange };
    What what = What::kMarker;
    std::size_t at = 0;
    bool operator==(const MarkerRef&) const = default;
};

// A hit that was asked for and is not found yet: gone to when it is, unless something else was chosen meanwhile.
struct AwaitedHit {
    bool forward = true;
    std::optional<std::uint64_t> from;  // the tick of what was selected
};

struct PanelState {
    BottomTab bottom_tab = BottomTab::kEvents;
    InspectorTab inspector_tab = InspectorTab::kMeasure;
    std::string pair_from;  // lane keys of the list of pairs
    std::string pair_to;
    std::string export_path;            // as typed, or where it was exported to last
    std::string sql;                    // the question as it is typed
    std::string guest_event = "irq.*";  // where an emulated PC goes to and back to, a trigger
    std::optional<MarkerRef> chosen_marker;
    std::string chosen_name;  // its own: where another one has its number, as when it was deleted, none is chosen
    std::optional<AwaitedHit> awaited_hit;
    bool is_beside = false;  // two sources are drawn, this is one of them; the window says so

    // Done with the next drawing of the panel, which takes them back.
    bool focus_filter = false;   // the table's filter takes the keyboard
    bool focus_trigger = false;  // the trigger's text does
    bool reveal_marker = false;  // the chosen one
    bool rename_marker = false;
    int table_steps = 0;  // the selection moves by so many rows
    std::optional<int> bookmark_to_note;
    const store::Lane* lane_menu = nullptr;  // the lane whose menu opens
    std::string head_menu;                   // the same of a source's or a group's head, by its key
};

}  // namespace sla::workspace
