// The lanes: time grid, every visible lane's picture, cursors, selection. Owner: the window's thread.
#pragma once

#include "viewer/timeline/lane_picture.h"
#include "viewer/ui/context.h"
#include "viewer/ui/visible_lanes.h"

#include <map>
#include <utility>

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
    using Key = std::pair<const store::Lane*, std::size_t>;  // the second: which of the shots that are overlaid; 0: none
    const timeline::LanePicture& picture_of(const Context& context, const Key& key, const timeline::Viewport& port);
    void draw_lane(Context& context, const VisibleRow& visible);
    // The earlier shots of the trigger whose shot is looked at, below it and fainter, the older the fainter.
    void draw_earlier_shots(Context& context, const VisibleRow& visible, const Rect& strip);

    std::map<Key, Kept> kept_;
    std::uint64_t frame_ = 0;
};

void draw_empty_state(Context& context);

}  // namespace sla::ui
