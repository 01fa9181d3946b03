// The bar below the toolbar that says what failed and what to do, until it is dismissed; and the notice that goes by itself.
#pragma once

#include "viewer/ui/context.h"

namespace sla::ui {

void draw_error_bar(Context& context);
// What it says goes.
void dismiss_banner(Context& context);
// Over the foot of the lanes.
void draw_notice(Context& context);
// Events were lost since the person last dismissed that: the bar says so when there is no error to tell.
bool loss_banner(const Desk& desk);

}  // namespace sla::ui
