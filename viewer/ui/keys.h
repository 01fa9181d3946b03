// The keyboard: every key pressed is looked up in the key map and its action run. Not while text is typed.
#pragma once

#include "viewer/ui/context.h"

namespace sla::ui {

void handle_keys(Context& context);

}  // namespace sla::ui
