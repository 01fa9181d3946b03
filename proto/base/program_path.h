// Which programs there are.
#pragma once

#include <string>

namespace sla {

// Would one of that name start: at that path, or in a folder of PATH?
bool is_program(const std::string& name);

}  // namespace sla
