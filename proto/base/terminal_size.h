// How large the terminal is that a program writes to.
#pragma once

#include <cstddef>
#include <optional>

namespace sla {

struct TerminalSize {
    std::size_t rows = 0;  // 0: it does not say
    std::size_t columns = 0;
};

// Nothing: it is no terminal, or one that does not say how many columns it has.
std::optional<TerminalSize> terminal_size(int descriptor);

}  // namespace sla
