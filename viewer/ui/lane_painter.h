// Paints one lane's picture: each kind of mark has its own shape, so that colour alone never tells.
#pragma once

#include "viewer/timeline/lane_picture.h"
#include "viewer/ui/context.h"

namespace sla::ui {

struct LanePaint {
    const store::Lane& lane;
    const timeline::LanePicture& picture;
    Rect place;    // the lane's strip
    ImU32 colour;  // its hue
};

void paint_lane(Context& context, const LanePaint& paint);

}  // namespace sla::ui
