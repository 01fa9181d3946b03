// Fuzzy matching of what is typed against names: the letters in their order, anywhere; words' beginnings and runs count
// more, what is skipped between them takes some of it away.
#pragma once

#include <optional>
#include <string_view>

namespace sla::workspace {

// The larger the better; nothing when a letter is missing. Capitals do not matter; everything matches "".
std::optional<int> fuzzy_score(std::string_view typed, std::string_view name);

}  // namespace sla::workspace
