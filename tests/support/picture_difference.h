// How far two pictures of the window are apart, as an eye would judge: by the mean colours of small tiles, so that another
// version of the font or graphics library, which moves edges by a shade, passes, and a line that moved or a word that is
// missing does not.
#pragma once

#include "viewer/ui/app/surface.h"

#include <cstddef>
#include <string>

namespace sla::support {

struct PictureDifference {
    bool same_size = true;
    std::size_t tiles = 0;
    std::size_t tiles_apart = 0;  // their mean colours differ so that it can be seen
    int largest = 0;              // difference of a tile's mean in one colour, of 255

    [[nodiscard]] bool is_tolerable() const;
};

PictureDifference difference(const ui::Pixels& one, const ui::Pixels& other);
// Where they differ stands out of a dimmed copy of the first.
ui::Pixels marked_difference(const ui::Pixels& one, const ui::Pixels& other);
// Nothing there, or no picture: width 0.
ui::Pixels read_png(const std::string& path);

}  // namespace sla::support
