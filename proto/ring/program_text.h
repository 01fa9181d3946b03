// A text of a program's segment, fit to be shown and sent.
#pragma once

#include <span>
#include <string>

namespace sla::ring {

// The program may be changing it: copied once, cut at its NUL; control characters and bytes that are not UTF-8 become '?'.
std::string program_text(std::span<const char> from);

}  // namespace sla::ring
