#include "viewer/ui/app/pixels.h"

#include <algorithm>

namespace sla::ui {

Pixels upright(Pixels from_bottom) {
    const auto row = static_cast<std::ptrdiff_t>(from_bottom.width) * 4;
    const std::ptrdiff_t height = from_bottom.height;
    const auto rows = from_bottom.rgba.begin();
    for (std::ptrdiff_t y = 0; y < height / 2; ++y)
        std::swap_ranges(rows + y * row, rows + (y + 1) * row, rows + (height - 1 - y) * row);
    for (std::size_t i = 3; i < from_bottom.rgba.size(); i += 4) from_bottom.rgba[i] = 0xFF;
    return from_bottom;
}

}  // namespace sla::ui
