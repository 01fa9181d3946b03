// The column of lane names beside the lanes: folds, values at the mouse or cursor A, and lanes dragged to another place.
#pragma once

#include "viewer/ui/lanes_area.h"
#include "viewer/ui/widgets.h"

#include <string>

namespace sla::ui {

// Keeps the lanes' scroll within the list. Call before the lanes are drawn; the bar lies over them.
Scrollbar scroll_lanes(Context& context);

class LaneNames {
public:
    void draw(Context& context, const LanesArea& lanes);
    [[nodiscard]] bool dragging() const { return !dragged_.empty(); }

private:
    void draw_row(Context& context, const VisibleRow& visible, const LanesArea& lanes, std::optional<std::uint64_t> tick);
    void drag(Context& context);

    std::string dragged_;  // key of the row that is being moved
    float pressed_y_ = 0;
    bool moved_ = false;
};

}  // namespace sla::ui
