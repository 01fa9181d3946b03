// The list of mouse actions and keys that work.
#pragma once

#include "viewer/ui/context.h"

namespace sla::ui {

// Draws it over the lanes; true when the person closed it.
bool draw_help(Context& context);

}  // namespace sla::ui
