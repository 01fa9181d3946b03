// The line of a question that an error is in, and a caret below the place. Private to the room.
#pragma once

#include <string>
#include <string_view>

namespace sla::sql {

// "\n  SELECT * FORM events\n           ^"; empty when the place is not known (below 0).
std::string with_caret(std::string_view question, int offset);

}  // namespace sla::sql
