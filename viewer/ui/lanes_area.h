// The lanes: time grid, every visible lane's picture, cursors, selection. Owner: the window's thread.
#pragma once

#include "viewer/timeline/lane_picture.h"
#include "viewer/ui/context.h"

#include <unordered_map>

namespace sla::ui {

class LanesArea {
public:
    void draw(Context& context);
    // What was drawn of a lane in this frame; null when it is not in sight.
    [[nodiscard]] const timeline::LanePicture* picture(const store::Lane& lane) const;

private:
    // A picture is kept until the view, the lane or time has moved.
    struct Kept {
        timeline::Viewport port;
        std::uint64_t size = ~std::uint64_t{0};
        std::uint64_t now = 0;
        std::uint64_t frame = 0;
        timeline::LanePicture picture;
    };
    const timeline::LanePicture& picture_of(const Context& context, const store::Lane& lane);

    std::unordered_map<const store::Lane*, Kept> kept_;
    std::uint64_t frame_ = 0;
};

void draw_lane_cursors(Context& context);
void draw_empty_state(Context& context);

}  // namespace sla::ui
