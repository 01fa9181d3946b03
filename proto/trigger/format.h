// Trees as text that parses to the same tree again.
#pragma once

#include "proto/trigger/ast.h"

#include <string>

namespace sla::trigger {

const char* compare_text(Compare compare);
std::string to_text(const Condition& condition);
std::string to_text(const Stage& stage);
std::string to_text(const Expression& expression);
std::string to_text(const Sequencer& sequencer);

}  // namespace sla::trigger
