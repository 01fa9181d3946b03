// Where triggers fired, one row a shot; clicking one shows its window and counts times from its trigger. Shots of the same
// trigger can be drawn over each other at t = 0.
#pragma once

#include "viewer/ui/tables/grid.h"

#include <cstddef>
#include <optional>

namespace sla::ui {

class ShotList {
public:
    void draw(Context& context, const Rect& place, const Rect& strip);

private:
    Grid grid_;
    std::size_t known_ = 0;
};

}  // namespace sla::ui
