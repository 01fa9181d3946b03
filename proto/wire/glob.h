// Patterns for channel names, as people type them on the command line.
//
//   *        any characters, also none        [a-z09]  one of these        [!a-z] or [^a-z]  none of these
//   ?        one character                    \x       the character x itself
//
// A pattern means the whole name: "irq.*" does not match "my.irq.0". Characters are UTF-8 characters; a byte that is not
// UTF-8 is a character of its own. A '[' that is never closed means itself. A name without '\' is a pattern that it matches
// itself, be it "[x]".
#pragma once

#include <string>
#include <string_view>

namespace sla::wire {

// At most pattern length times name length steps, whatever the pattern. No allocation.
bool glob_match(std::string_view pattern, std::string_view name);
// It may match other names than itself: it has a '*', a '?' or a '['. What has none is a name, and is looked for as one.
inline bool is_pattern(std::string_view text) {
    return text.find_first_of("*?[") != std::string_view::npos;
}
// The pattern that this name alone matches.
std::string glob_of_name(std::string_view name);

}  // namespace sla::wire
