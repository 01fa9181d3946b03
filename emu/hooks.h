// What --hook names, checked before the run: a name that no channel can have would leave its rows out without a word.
#pragma once

#include "emu/tap/selection.h"
#include "proto/base/result.h"

#include <string_view>

namespace sla::emu {

// Patterns with commas between; "all" is "*", "none" by itself leaves all out. A pattern whose first word begins no channel's name is refused.
Result<tap::Selection> parse_hooks(std::string_view list);

}  // namespace sla::emu
