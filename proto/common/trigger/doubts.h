// What makes one doubt that a trigger that parses will ever fire: said where it is set, never a reason to refuse it.
#pragma once

#include "proto/common/trigger/ast.h"

#include <string>
#include <vector>

namespace sla::trigger {

// The channels that a trigger looks at, each once, in the order of the text.
std::vector<Name> channels_of(const Trigger& trigger);
bool is_there(const Name& wanted, const std::vector<std::string>& channels);

// For people, without capital and full stop; none when there is nothing to say. `channels`: the names there are now; others
// may come.
std::vector<std::string> doubts_of(const Trigger& trigger, const std::vector<std::string>& channels);

}  // namespace sla::trigger
