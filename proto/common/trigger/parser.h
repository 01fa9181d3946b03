// The text of a trigger to its tree. The grammar stands in README.md. Errors name the column and point at it.
#pragma once

#include "proto/base/result.h"
#include "proto/common/trigger/ast.h"

#include <string_view>

namespace sla::trigger {

Result<Expression> parse_expression(std::string_view text);
Result<Sequencer> parse_sequencer(std::string_view text);

// Words that mean something; a channel, level, counter or timer of such a name stands in quotes.
bool is_reserved(std::string_view word);

}  // namespace sla::trigger
