// The square wave of a lane with levels.
#pragma once

#include "viewer/timeline/pictures/columns.h"
#include "viewer/timeline/pictures/lane_picture.h"

namespace sla::timeline {

void picture_levels(const store::Lane& lane, const Viewport& view, std::uint64_t now, LanePicture& out);

}  // namespace sla::timeline
