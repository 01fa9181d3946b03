// The step line of a lane with values, with a band where several values share a pixel column.
#pragma once

#include "viewer/timeline/pictures/columns.h"
#include "viewer/timeline/pictures/lane_picture.h"

namespace sla::timeline {

// What value holds at the left edge is looked for among so many rows before it.
inline constexpr std::uint64_t kValueLookBack = 64;

void picture_values(const store::Lane& lane, const Viewport& view, LanePicture& out);

}  // namespace sla::timeline
