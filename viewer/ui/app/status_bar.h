// The bottom line: rates, losses, health of agent and clock, cost of a frame.
#pragma once

#include "viewer/ui/widgets/context.h"

namespace sla::ui {

void draw_status_bar(Context& context);

}  // namespace sla::ui
