// The strip above the ruler: where in the whole capture events are and were lost, and the view as a window to drag.
#pragma once

#include "viewer/timeline/pictures/minimap.h"
#include "viewer/ui/widgets/context.h"

namespace sla::ui {

class MinimapStrip {
public:
    void draw(Context& context);
    // It shows all that there was when it was begun last.
    [[nodiscard]] bool is_whole() const { return is_whole_; }

private:
    timeline::Minimap minimap_;
    bool dragging_ = false;
    bool is_whole_ = true;
};

}  // namespace sla::ui
