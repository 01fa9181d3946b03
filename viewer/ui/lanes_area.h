// The lanes: time grid, every visible lane's picture, cursors, selection. Owner: the window's thread.
#pragma once

#include "viewer/timeline/lane_picture.h"
#include "viewer/timeline/refiner.h"
#include "viewer/ui/context.h"
#include "viewer/ui/visible_lanes.h"

#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace sla::ui {

class LanesArea {
public:
    void draw(Context& context);
    // How much of what is drawn roughly has been made exact in the background; 1: everything is exact.
    [[nodiscard]] double refined() const { return rough_ && refiner_ != nullptr ? refiner_->progress() : 1; }
    // What was drawn of a lane in this frame; null when it is not in sight.
    [[nodiscard]] const timeline::LanePicture* picture(const store::Lane& lane) const;

private:
    // A picture is kept until the view, the lane or time has moved.
    struct Kept {
        timeline::Viewport port;
        std::uint64_t size = ~std::uint64_t{0};
        std::uint64_t now = 0;
        std::uint64_t pages = 0;
        std::uint64_t frame = 0;
        timeline::LanePicture picture;
    };
    using Key = std::pair<const store::Lane*, std::size_t>;  // the second: which of the shots that are overlaid; 0: none
    const timeline::LanePicture& picture_of(const Context& context, const Key& key, const timeline::Viewport& port);
    void draw_lane(Context& context, const VisibleRow& visible);
    // The earlier shots of the trigger whose shot is looked at, below it and fainter, the older the fainter.
    void draw_earlier_shots(Context& context, const VisibleRow& visible, const Rect& strip);

    void refine(const Context& context, const std::vector<VisibleRow>& rows);
    void tell_rough(Context& context) const;

    std::map<Key, Kept> kept_;
    std::unique_ptr<timeline::Refiner> refiner_;  // made when a picture is rough for the first time
    std::uint64_t frame_ = 0;
    bool rough_ = false;  // some picture in sight is
};

void draw_empty_state(Context& context);

}  // namespace sla::ui
