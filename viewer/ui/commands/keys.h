// The keyboard: every key pressed is looked up in the key map and its action run. Not while text is typed.
#pragma once

#include "viewer/ui/widgets/context.h"

namespace sla::ui {

void handle_keys(Context& context);
// The action's key was pressed in this frame; it is not run.
bool is_asked_for(const Context& context, std::string_view action);

}  // namespace sla::ui
