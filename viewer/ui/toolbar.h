// The top line: where the data comes from and whether it flows; run or stop, fit, follow; panels, theme, help.
#pragma once

#include "viewer/ui/context.h"

namespace sla::ui {

void draw_toolbar(Context& context);

}  // namespace sla::ui
