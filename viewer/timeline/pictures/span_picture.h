// The bars of a lane with spans, one row for each that must stand beside another.
#pragma once

#include "viewer/timeline/pictures/lane_picture.h"

namespace sla::timeline {

void picture_spans(const store::Lane& lane, const Viewport& view, std::uint64_t now, LanePicture& out);

}  // namespace sla::timeline
