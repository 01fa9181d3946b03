// Questions in SQL that are kept with the capture, as lanes and columns: a person keeps, asks again and forgets them. What is
// done here can be undone.
#pragma once

#include "viewer/ui/widgets/context.h"

#include <string>

namespace sla::ui {

// "", or why it cannot be kept.
std::string keep_question_as(Context& context, const KeptQuestion& question);
void forget_question(Context& context, const std::string& name);

}  // namespace sla::ui
