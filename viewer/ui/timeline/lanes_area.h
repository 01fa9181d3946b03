// The lanes: time grid, every visible lane's picture, cursors, selection. Owner: the window's thread.
#pragma once

#include "viewer/ui/timeline/lane_painter.h"
#include "viewer/ui/timeline/lane_pictures.h"
#include "viewer/ui/widgets/context.h"
#include "viewer/ui/widgets/visible_lanes.h"

#include <unordered_map>
#include <vector>

namespace sla::ui {

class LanesArea {
public:
    void draw(Context& context);
    [[nodiscard]] const LanePictures& pictures() const { return pictures_; }
    // What was drawn of a lane in this frame; null when it is not in sight.
    [[nodiscard]] const timeline::LanePicture* picture(const store::Lane& lane) const { return pictures_.shown(lane); }

    // What the lane's height stands for, of all shots drawn; nothing when no values are in sight.
    [[nodiscard]] ValueExtent values_shown(const store::Lane& lane) const;

private:
    void draw_lane(Context& context, const VisibleRow& visible);
    // The other shots of the trigger whose shot is looked at, the next in time first; none unless they are overlaid.
    std::vector<const timeline::LanePicture*> other_shots(Context& context, const store::Lane& lane);
    // Below the shot that is looked at and fainter, the farther the fainter.
    void draw_other_shots(Context& context, const LanePaint& shown, const std::vector<const timeline::LanePicture*>& others);

    void report_rough(Context& context) const;

    LanePictures pictures_;
    std::unordered_map<const store::Lane*, ValueExtent> common_;  // of lanes with other shots below them
};

void draw_empty_state(Context& context);

}  // namespace sla::ui
