// The bar below the toolbar that says what failed and what to do, until it is dismissed.
#pragma once

#include "viewer/ui/context.h"

namespace sla::ui {

void draw_error_bar(Context& context);

}  // namespace sla::ui
