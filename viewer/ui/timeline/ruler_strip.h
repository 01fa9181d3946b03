// The ruler above the lanes, and the labels of whatever stands in time: cursors, the mouse.
#pragma once

#include "viewer/timeline/ruler.h"
#include "viewer/ui/widgets/context.h"

namespace sla::ui {

// The marks of what is shown now; the lanes draw their grid at the same places.
timeline::Ruler ruler_of(const Context& context);
void draw_ruler(Context& context, const timeline::Ruler& ruler);

}  // namespace sla::ui
