// What can be done with all lanes below a head, of a source or a group: by right click on it.
#pragma once

#include "viewer/ui/widgets/context.h"

#include <string>
#include <vector>

namespace sla::ui {

class HeadMenu {
public:
    void draw(Context& context);

private:
    std::string key_;  // of the head
};

// Those that a head stands above, folded or not; but for pinned ones, and those that are hidden anyway.
std::vector<const store::Lane*> lanes_below(const timeline::LaneTree& tree, const std::string& head);

}  // namespace sla::ui
