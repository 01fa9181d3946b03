// What can be done with all lanes below a head, of a source or a group: by right click on it.
#pragma once

#include "viewer/ui/widgets/context.h"

#include <cstdint>
#include <string>
#include <vector>

namespace sla::ui {

class HeadMenu {
public:
    void draw(Context& context);

private:
    void find_lanes(const Context& context);

    std::string key_;  // of the head
    // Below it, and all others that are in sight; of thousands they are looked for once, not in each frame.
    std::vector<const store::Lane*> lanes_, others_;
    std::uint64_t found_in_ = 0;  // the list of lanes, by its revision
};

// Those that a head stands above, folded or not; but for pinned ones, and those that are hidden anyway.
std::vector<const store::Lane*> lanes_below(const timeline::LaneTree& tree, const std::string& head);

}  // namespace sla::ui
