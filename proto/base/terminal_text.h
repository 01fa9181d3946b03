// How much of a terminal's line a text takes: two columns of a Chinese character or an emoji, none of an accent that stands on
// the character before it. Texts are UTF-8; what is none takes a column a byte.
#pragma once

#include <cstddef>
#include <string_view>

namespace sla {

std::size_t terminal_columns(std::string_view text);
// Its longest beginning, or end, that takes at most so many.
std::string_view first_columns(std::string_view text, std::size_t columns);
std::string_view last_columns(std::string_view text, std::size_t columns);

}  // namespace sla
