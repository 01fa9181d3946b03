// A picture made for one view, as it stands in another: every mark where its tick is now. What was out of sight is missing,
// and columns are as wide as they were, until the picture is made anew; so it is for the moment only. Costs a few
// nanoseconds a mark, a tenth of making it.
#pragma once

#include "viewer/timeline/lane_picture.h"
#include "viewer/timeline/viewport.h"

#include <cstddef>

namespace sla::timeline {

// Replaces `out`; `was` is the view that `picture` was made for.
void move_picture(const LanePicture& picture, const Viewport& was, const Viewport& is, LanePicture& out);

// How many marks it has: what making it costs, roughly.
[[nodiscard]] std::size_t mark_count(const LanePicture& picture);

}  // namespace sla::timeline
