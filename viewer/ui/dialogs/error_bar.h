// The bar below the toolbar that says what failed and what to do, until it is dismissed; and the notice that goes by itself.
#pragma once

#include "viewer/ui/widgets/context.h"

namespace sla::ui {

// What helps against the cause that took the most.
const char* advice_on_losses(const store::Session& session);

void draw_error_bar(Context& context);
// Over the foot of the lanes.
void draw_notice(Context& context);

}  // namespace sla::ui
