// Paints one lane's picture: each kind of mark has its own shape, so that colour alone never decides.
#pragma once

#include "viewer/timeline/pictures/lane_picture.h"
#include "viewer/ui/widgets/context.h"

#include <vector>

namespace sla::ui {

// What a lane's height stands for: from the least to the greatest finite value, with an edge beyond for infinite ones.
struct ValueExtent {
    double least = 0;
    double greatest = 0;
    bool has_above = false;
    bool has_below = false;

    [[nodiscard]] bool has_length() const { return greatest > least; }
};
inline ValueExtent values_of(const timeline::LanePicture& picture) {
    return {picture.value_min, picture.value_max, picture.has_above, picture.has_below};
}

struct LanePaint {
    const store::Lane& lane;
    const timeline::LanePicture& picture;
    Rect place;    // the lane's strip
    ImU32 colour;  // its hue
    ValueExtent values = values_of(picture);
    bool words = true;  // with labels; without, when another picture of the lane lies over it
};

void paint_lane(Context& context, const LanePaint& paint);
// Events a second as a strip.
void paint_rate(Context& context, const LanePaint& paint);
// Every value or text as a coloured block until the next; the same value always has the same colour.
void paint_states(Context& context, const LanePaint& paint);

struct VisibleRow;
// Arrows from an event to the next one of another lane that carries the same value, for the lanes that a person linked.
void draw_causes(Context& context, const std::vector<VisibleRow>& rows);

}  // namespace sla::ui
