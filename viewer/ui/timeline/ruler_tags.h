// The lower row of the ruler: cursors, t = 0, markers, kept ranges, bookmarks, the lengths of axis breaks and the Δ, each
// where the others leave it space. What found none shows a dot and is shown under the mouse.
#pragma once

#include "viewer/ui/widgets/context.h"

namespace sla::ui {

void draw_ruler_tags(Context& context);

}  // namespace sla::ui
