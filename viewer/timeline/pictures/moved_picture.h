// A picture made for one view, as it stands in another: every mark where its tick is now. What was out of sight is missing,
// and columns are as wide as they were, until the picture is made anew; so it is for the moment only. Costs a few
// nanoseconds a mark, a tenth of making it.
#pragma once

#include "viewer/timeline/pictures/lane_picture.h"
#include "viewer/timeline/viewport.h"

#include <cstddef>

namespace sla::timeline {

// Replaces `out`; `was` is the view that `picture` was made for.
void move_picture(const LanePicture& picture, const Viewport& was, const Viewport& is, LanePicture& out);

// What holds on holds on until `now`: the same as making the picture anew, for a lane that has no more rows than it was made
// of, when the end it was made to lay in its view.
void extend_to_now(std::uint64_t now, const Viewport& view, LanePicture& picture);

// How many marks it has: what making it costs, roughly.
[[nodiscard]] std::size_t mark_count(const LanePicture& picture);

}  // namespace sla::timeline
