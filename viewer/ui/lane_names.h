// The column of names left of the lanes: sources and groups that fold, lanes with their value at the cursor or their rate.
#pragma once

#include "viewer/ui/lanes_area.h"
#include "viewer/ui/widgets.h"

namespace sla::ui {

// First of all: wheel over the names, and the scrollbar, which the caller draws over the lanes.
Scrollbar scroll_lanes(Context& context);
void draw_lane_names(Context& context, const LanesArea& lanes);

}  // namespace sla::ui
