// What the search found, one row a hit; clicking one goes there.
#pragma once

#include "viewer/ui/tables/grid.h"

namespace sla::ui {

class FoundList {
public:
    // `strip`: space beside the tabs, for how many and what was looked for.
    void draw(Context& context, const Rect& place, const Rect& strip);
    // The hit that is shown as selected.
    [[nodiscard]] std::optional<std::size_t> marked() const { return marked_; }

private:
    Grid grid_;
    std::optional<std::size_t> marked_;
    std::optional<Selection> seen_;  // the selection that was scrolled to
};

}  // namespace sla::ui
