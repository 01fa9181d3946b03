// The rows of the lane list that can be seen, with their places: names and lanes both walk this, so they always align.
#pragma once

#include "viewer/ui/context.h"

#include <vector>

namespace sla::ui {

struct VisibleRow {
    const timeline::TreeRow* row = nullptr;
    float y = 0;
    float height = 0;
};

std::vector<VisibleRow> visible_rows(const Context& context);
// The lanes among them.
std::vector<const store::Lane*> visible_lanes(const Context& context);
// The lane at that height of the screen; null over heads and empty space.
const store::Lane* lane_at(const Context& context, float screen_y);
// The whole list's height in pixels.
float list_height(const Context& context);
// Scrolls, if needed, until the lane can be seen.
void scroll_to(Context& context, const store::Lane& lane);

}  // namespace sla::ui
