// The step line of a lane with values, with a band where several values share a pixel column.
#pragma once

#include "viewer/timeline/columns.h"
#include "viewer/timeline/lane_picture.h"

namespace sla::timeline {

void picture_values(const store::Lane& lane, const Viewport& view, LanePicture& out);

}  // namespace sla::timeline
