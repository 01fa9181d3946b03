// Trees as text that parses to the same tree again.
#pragma once

#include "proto/common/trigger/ast.h"

#include <cstdint>
#include <string>

namespace sla::trigger {

// In the largest unit that divides it: "1500us".
std::string time_text(std::int64_t ps);
const char* compare_text(Compare compare);
std::string to_text(const Condition& condition);
std::string to_text(const Stage& stage);
std::string to_text(const Expression& expression);
std::string to_text(const Sequencer& sequencer);

}  // namespace sla::trigger
