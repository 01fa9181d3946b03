// The column of lane names beside the lanes: folds, values at the mouse or cursor A, and lanes dragged to another place.
#pragma once

#include "viewer/ui/timeline/lane_drag.h"
#include "viewer/ui/timeline/lanes_area.h"
#include "viewer/ui/widgets/widgets.h"

#include <optional>

namespace sla::ui {

// Keeps the lanes' scroll within the list. Call before the lanes are drawn; the bar lies over them.
Scrollbar scroll_lanes(Context& context);

class LaneNames {
public:
    void draw(Context& context, const LanesArea& lanes);

private:
    void draw_row(Context& context, const VisibleRow& visible, const LanesArea& lanes, std::optional<std::uint64_t> tick);

    LaneDrag drag_;
};

}  // namespace sla::ui
