// A lane chosen out of thousands by a part of its name.
#pragma once

#include "viewer/ui/widgets/context.h"

#include <cstdint>
#include <string>
#include <vector>

namespace sla::ui {

// One serves any number of choices: a single one is open at a time.
class LanePicker {
public:
    // Shows the lane that has this key, or that none is chosen; another choice is written there.
    void draw(Context& context, const char* id, std::string& key, float width);

private:
    void find(const Context& context);

    // While it is open: what is typed, what has that in its name, the best first, and what both were found with.
    std::string looked_for_;
    std::vector<const store::Lane*> found_;
    std::string found_for_;
    std::uint64_t found_in_ = 0;  // the list of lanes, by its revision
};

}  // namespace sla::ui
