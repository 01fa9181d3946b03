// Every loss: when, on which channel, how many, why; clicking one goes there.
#pragma once

#include "viewer/ui/tables/grid.h"

#include <vector>

namespace sla::ui {

class GapList {
public:
    void draw(Context& context, const Rect& place);

private:
    struct Item {
        const store::Lane* lane;
        const store::Gap* gap;
    };
    void refresh(const store::Session& session);

    std::vector<Item> newest_;  // by time, the newest last; at most kMaxGaps
    std::size_t known_ = ~std::size_t{0};
    Grid grid_;
};

}  // namespace sla::ui
