// The hits of the search on the lanes.
#pragma once

#include "viewer/ui/widgets/visible_lanes.h"

#include <vector>

namespace sla::ui {

// A mark at the foot of its lane for every hit that has space for one, a band where they stand closer; a trigger's hits
// are lines over all lanes, and a band above them where they stand closer. What it costs depends on the pixels, not on
// how many hits there are.
void draw_hits(Context& context, const std::vector<VisibleRow>& rows);

}  // namespace sla::ui
