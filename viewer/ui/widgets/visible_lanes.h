// The rows of the lane list that can be seen, with their places: names and lanes both walk this, so they always align.
#pragma once

#include "viewer/ui/widgets/context.h"

#include <optional>
#include <string>
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
// Pinned rows end here; the others scroll below.
float pinned_bottom(const Context& context);
// What of `area` (names or lanes) a row may be drawn in: scrolling rows do not reach over pinned ones.
Rect row_clip(const Context& context, const VisibleRow& row, const Rect& area);
// The row at that height of the screen.
std::optional<VisibleRow> row_at(const Context& context, float screen_y);
// The lane at that height of the screen; null over heads and empty space.
const store::Lane* lane_at(const Context& context, float screen_y);
// The whole list's height in pixels.
float list_height(const Context& context);
// What a list calls the lane: its title, and whose it is where two programs are called the same.
std::string lane_label(const Context& context, const store::Lane& lane);
// Scrolls, if needed, until the lane can be seen.
void scroll_to(Context& context, const store::Lane& lane);

}  // namespace sla::ui
