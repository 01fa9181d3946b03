// What the search found, one row a hit; clicking one goes there.
#pragma once

#include "viewer/ui/tables/grid.h"

namespace sla::ui {

class FoundList {
public:
    // `strip`: space beside the tabs, for how many and what was looked for.
    void draw(Context& context, const Rect& place, const Rect& strip);

private:
    Grid grid_;
    std::uint64_t seen_ = ~std::uint64_t{0};  // tick of the selection that was scrolled to
};

}  // namespace sla::ui
