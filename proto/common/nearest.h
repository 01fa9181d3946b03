// Which of some known words was meant by one that is none of them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sla::common {

// The known word that is a letter in four away from the typed one, or begins with it when no other does; empty: none is
// near. Swapped neighbours count as one letter.
std::string nearest(std::string_view typed, const std::vector<std::string>& known);
// " (did you mean 'table'?)", or nothing.
std::string nearest_hint(std::string_view typed, const std::vector<std::string>& known);

}  // namespace sla::common
