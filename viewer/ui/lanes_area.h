// The lanes: time grid, every visible lane's picture, cursors, selection. Owner: the window's thread.
#pragma once

#include "viewer/ui/context.h"
#include "viewer/ui/lane_pictures.h"
#include "viewer/ui/visible_lanes.h"

#include <vector>

namespace sla::ui {

class LanesArea {
public:
    void draw(Context& context);
    [[nodiscard]] const LanePictures& pictures() const { return pictures_; }
    // What was drawn of a lane in this frame; null when it is not in sight.
    [[nodiscard]] const timeline::LanePicture* picture(const store::Lane& lane) const { return pictures_.shown(lane); }

private:
    void draw_lane(Context& context, const VisibleRow& visible);
    // The earlier shots of the trigger whose shot is looked at, below it and fainter, the older the fainter.
    void draw_earlier_shots(Context& context, const VisibleRow& visible, const Rect& strip);

    void tell_rough(Context& context) const;

    LanePictures pictures_;
};

void draw_empty_state(Context& context);

}  // namespace sla::ui
