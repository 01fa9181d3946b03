// Where triggers fired, one row a shot; clicking one shows its window and counts times from its trigger. Shots of the same
// trigger can be drawn over each other at t = 0.
#pragma once

#include "viewer/analysis/shot_state.h"
#include "viewer/ui/tables/grid.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace sla::ui {

class ShotList {
public:
    void draw(Context& context, const Rect& place, const Rect& strip);

private:
    const analysis::ShotState& state_of(const store::Session& session, std::size_t shot);

    Grid grid_;
    std::size_t known_ = 0;
    std::vector<std::optional<analysis::ShotState>> states_;  // that do not change any more
    std::size_t lanes_ = 0;                                   // that they are of
    analysis::ShotState newest_state_;
};

}  // namespace sla::ui
