// LanePictures: the pictures of the lanes in sight, kept until the view, the lane or time has moved.
//
//   frame   choose() ── who may be made anew ──► of() ── made, or ──► what was made last, moved to where it stands now
//
// All lanes change at once when the view moves; only so many marks are made in a frame, by turns, so that a frame costs the
// same at any zoom and place: as many as fit into a third of a millisecond by what the last ones took. A view that rests is complete within a few frames. What is then still rough, because its rows
// stay in a file, is made exact behind the scenes. Owner: the window's thread.
#pragma once

#include "viewer/timeline/pictures/lane_picture.h"
#include "viewer/timeline/pictures/refiner.h"
#include "viewer/ui/widgets/context.h"
#include "viewer/ui/widgets/visible_lanes.h"
#include "viewer/workspace/jobs/job_runner.h"

#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace sla::ui {

class LanePictures {
public:
    // A frame begins that shows these rows.
    void choose(const Context& context, const std::vector<VisibleRow>& rows);
    // `overlay`: which of the shots that are overlaid; 0: none.
    const timeline::LanePicture& of(const Context& context, const store::Lane& lane, std::size_t overlay,
                                    const timeline::Viewport& port);
    // The frame ends: whatever is rough and rests is asked for, what is long out of sight forgotten.
    void finish(const Context& context, const std::vector<VisibleRow>& rows);

    // What was drawn of a lane in this frame; null when it is not in sight.
    [[nodiscard]] const timeline::LanePicture* shown(const store::Lane& lane) const;
    // How much of what is drawn roughly has been made exact in the background; 1: everything is exact.
    [[nodiscard]] double refined() const;
    // Something in sight is not exact, and there is something that can make it so.
    [[nodiscard]] bool is_refining() const { return rough_ && refiner_ != nullptr; }
    // Something in sight is not exact.
    [[nodiscard]] bool is_rough() const { return rough_; }

private:
    struct Kept {
        timeline::Viewport port;  // that it was made for
        std::uint64_t size = ~std::uint64_t{0};
        std::uint64_t now = 0;
        std::uint64_t pages = 0;
        std::uint64_t frame = 0;   // in which it was drawn last
        std::uint64_t chosen = 0;  // the frame in which it may be made anew
        bool is_moved = false;     // `moved` is what is shown
        timeline::LanePicture picture;
        timeline::LanePicture moved;
    };
    using Key = std::pair<const store::Lane*, std::size_t>;
    [[nodiscard]] static bool is_stale(const Context& context, const Kept& kept, const store::Lane& lane,
                                       const timeline::Viewport& port);
    void make(const Context& context, Kept& kept, const store::Lane& lane, const timeline::Viewport& port);
    void refine(const Context& context, std::vector<timeline::Refiner::Wanted> lanes);

    std::map<Key, Kept> kept_;
    std::unique_ptr<timeline::Refiner> refiner_;  // made when a picture is rough for the first time
    std::uint64_t refined_until_ = 0;             // rows behind this tick are not its
    timeline::Viewport rough_port_;               // of the last frame with a rough picture
    JobRunner::Job leaving_;                      // a refiner that knows too little
    std::uint64_t frame_ = 0;
    std::size_t turn_ = 0;  // the row that is asked first whether it is stale
    bool rough_ = false;    // some picture in sight is
    double ns_a_mark_ = 100;
};

}  // namespace sla::ui
