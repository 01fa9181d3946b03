#include "proto/base/terminal_size.h"

#include <sys/ioctl.h>

namespace sla {

std::optional<TerminalSize> terminal_size(int descriptor) {
    winsize size{};
    if (::ioctl(descriptor, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return std::nullopt;
    return TerminalSize{size.ws_row, size.ws_col};
}

}  // namespace sla
