// What lies over the lanes' pictures: hits of the search, axis breaks, the selection, markers and shots, the cursors.
#pragma once

#include "viewer/timeline/pictures/lane_picture.h"
#include "viewer/ui/widgets/visible_lanes.h"

#include <vector>

namespace sla::ui {

void draw_over_lanes(Context& context, const std::vector<VisibleRow>& rows);
// What was lost under the mouse, in words.
void describe_gap(Context& context, const store::Lane* lane, const timeline::LanePicture* picture);

}  // namespace sla::ui
