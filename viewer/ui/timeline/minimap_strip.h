// The strip above the ruler: where in the whole capture events are and were lost, and the view as a window to drag.
#pragma once

#include "viewer/timeline/pictures/minimap.h"
#include "viewer/ui/widgets/context.h"

namespace sla::ui {

class MinimapStrip {
public:
    void draw(Context& context);

private:
    timeline::Minimap minimap_;
    bool dragging_ = false;
};

}  // namespace sla::ui
