// A lane's picture from the sums over its pages, without their rows: what is shown of rows that stay in the file until they
// are here. Private to the room.
//
// Nothing is invented and no event is missing: a column has a mark if and only if a page with events reaches into it. Counts
// are exact where whole pages fall into a column, and shared out evenly over the columns of a page that spans several.
#pragma once

#include "viewer/timeline/pictures/lane_picture.h"

namespace sla::timeline {

// All but the gaps, appended to `out`. O(columns + pages in view), or O(columns) of coarser sums where there are many.
void picture_roughly(const store::Lane& lane, const Viewport& view, std::uint64_t now, LanePicture& out);

}  // namespace sla::timeline
