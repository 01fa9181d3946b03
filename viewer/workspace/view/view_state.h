// All that a person has made of the view, as one value: what is undone, redone and kept beside the capture.
//
// Each field stands once in the struct and once in the table, which knows all that is done with it. A field that is not in
// the table does not compile (view_fields.cpp).
#pragma once

#include "viewer/timeline/cursor.h"
#include "viewer/timeline/lanes/lane_arrangement.h"
#include "viewer/workspace/jobs/statistics_options.h"
#include "viewer/workspace/view/annotations.h"
#include "viewer/workspace/view/kept_question.h"
#include "viewer/workspace/view/shared_value.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace sla::workspace {

struct Document;

enum class ViewMode : std::uint8_t { kRange, kAll, kNewest };

// Where the view stands; of all but kRange the numbers mean nothing and are 0.
struct ShownPlace {
    ViewMode mode = ViewMode::kAll;
    std::uint64_t first_tick = 0;
    double ticks_per_pixel = 0;
    bool operator==(const ShownPlace&) const = default;
};

// What may be large is shared with the states before and behind that have the same.
struct ViewState {
    SharedValue<timeline::LaneArrangement> lanes;
    SharedValue<Annotations> annotations;
    timeline::CursorPair cursors;
    SharedValue<std::vector<timeline::TickRange>> folds;  // axis breaks
    ShownPlace shown;
    std::string table_filter;
    bool table_collapsed = false;
    StatisticsOptions statistics_options;
    bool two_panes = false;
    ShownPlace shown_below;  // in the lower of two panes
    SharedValue<std::vector<KeptQuestion>> questions;
    bool operator==(const ViewState&) const = default;
};

struct ViewField {
    enum class Scope : std::uint8_t {
        kAnyCapture,  // means the same in the next capture of this name
        kOneCapture,  // ticks of this one, or what was looked for in it
        kMovement,    // so too, but moving it is no work that a person would miss
    };
    Scope scope;
    bool (*equal)(const ViewState&, const ViewState&);
    // What made the difference, in a few words: "move cursor A".
    std::string (*difference)(const ViewState& before, const ViewState& after);
    bool (*stands)(const Document&, const ViewState&);  // the document is as this field says
    void (*take)(const Document&, ViewState&);          // what is the same already stays shared
    void (*apply)(Document&, const ViewState&);
    void (*write)(const ViewState&, nlohmann::json&);
    void (*read)(const nlohmann::json&, ViewState&);  // a default for what is missing or makes no sense
};

// In the order in which they are applied, and named when several differ.
std::span<const ViewField> view_fields();

// What differs between two states, in a few words.
std::string difference_of(const ViewState& before, const ViewState& after);
bool only_the_view_moved(const ViewState& before, const ViewState& after);

}  // namespace sla::workspace
