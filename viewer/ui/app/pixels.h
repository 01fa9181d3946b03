// What a frame has drawn, as it is kept.
#pragma once

#include "viewer/ui/app/surface.h"

namespace sla::ui {

// Of rows from the bottom, as OpenGL gives them: from the top, and opaque.
Pixels upright(Pixels from_bottom);

}  // namespace sla::ui
