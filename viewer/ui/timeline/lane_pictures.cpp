#include "viewer/ui/timeline/lane_pictures.h"

#include "viewer/ingest/caches.h"
#include "viewer/timeline/pictures/moved_picture.h"

#include <time.h>

#include <algorithm>
#include <utility>

namespace sla::ui {

namespace {

constexpr std::uint64_t kForgetFrames = 240;
constexpr double kNsAFrame = 300'000;     // for pictures, of a frame at 60 Hz
constexpr double kMinNsAMark = 50;        // a frame that costs nothing makes no more than so many for it
constexpr double kMaxNsAMark = 300;       // and one on a slow machine at least a thousand
constexpr std::size_t kMarksALane = 200;  // what a lane costs beside its marks, in marks

double thread_cpu_ns() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e9 + static_cast<double>(now.tv_nsec);
}

// A frame that comes late, as drawing takes long, may make more, so that lanes that are followed are not drawn as they were
// long ago; not much more, or frames that are late as the machine is busy would be later still.
std::size_t marks_of_this_frame(double ns_a_mark) {
    constexpr float kMax = 3;
    const float frames = std::clamp(ImGui::GetIO().DeltaTime * 60.0F, 1.0F, kMax);
    return static_cast<std::size_t>(static_cast<double>(frames) * kNsAFrame / ns_a_mark);
}

}  // namespace

bool LanePictures::is_stale(const Context& context, const Kept& kept, const store::Lane& lane,
                            const timeline::Viewport& port) {
    const bool more_pages = kept.picture.rough && kept.pages != context.session.pages_revision();
    return more_pages || kept.size != lane.size() || kept.now != context.known_until(lane) || !(kept.port == port);
}

void LanePictures::choose(const Context& context, const std::vector<VisibleRow>& rows) {
    ++frame_;
    const bool has_moved = std::any_of(rows.begin(), rows.end(), [&](const VisibleRow& visible) {
        const store::Lane* lane = visible.row->lane;
        return lane != nullptr && !(kept_[{lane, 0}].port == context.port_of(*lane));
    });
    // What was made exact is of another view.
    if (has_moved && refiner_ != nullptr) refiner_->want(context.view.port(), context.view.now(), {});
    const std::size_t most = marks_of_this_frame(ns_a_mark_);
    std::size_t marks = 0;
    for (std::size_t i = 0; i < rows.size() && marks < most; ++i) {
        const std::size_t row = (turn_ + i) % rows.size();
        const store::Lane* lane = rows[row].row->lane;
        if (lane == nullptr) continue;
        Kept& kept = kept_[{lane, 0}];
        if (!is_stale(context, kept, *lane, context.port_of(*lane))) continue;
        kept.chosen = frame_;
        marks += kMarksALane + timeline::mark_count(kept.picture);
        if (marks >= most) turn_ = row + 1;
    }
}

void LanePictures::make(const Context& context, Kept& kept, const store::Lane& lane, const timeline::Viewport& port) {
    kept.size = lane.size();
    kept.pages = context.session.pages_revision();
    kept.now = context.known_until(lane);
    kept.port = port;
    const double begin = thread_cpu_ns();
    timeline::picture_lane(lane, port, kept.now, kept.picture);
    const double marks = static_cast<double>(kMarksALane + timeline::mark_count(kept.picture));
    constexpr double kWeight = 0.1;  // of the newest, in what is known
    ns_a_mark_ += kWeight * ((thread_cpu_ns() - begin) / marks - ns_a_mark_);
    ns_a_mark_ = std::clamp(ns_a_mark_, kMinNsAMark, kMaxNsAMark);
}

const timeline::LanePicture& LanePictures::of(const Context& context, const store::Lane& lane, std::size_t overlay,
                                              const timeline::Viewport& port) {
    Kept& kept = kept_[{&lane, overlay}];
    const bool is_new = kept.size == ~std::uint64_t{0};
    kept.frame = frame_;
    kept.is_moved = false;
    if (is_stale(context, kept, lane, port)) {
        if (is_new || overlay != 0 || kept.chosen == frame_) {
            make(context, kept, lane, port);
        } else {
            timeline::move_picture(kept.picture, kept.port, port, kept.moved);
            kept.is_moved = true;
            const bool end_was_seen = kept.port.visible().last >= kept.now;
            if (kept.size == lane.size() && end_was_seen)
                timeline::extend_to_now(context.known_until(lane), port, kept.moved);
        }
    }
    const bool is_refined =
        overlay == 0 && !kept.is_moved && port == context.port_of(lane);  // what the refiner was asked for
    if (kept.picture.rough && is_refined && refiner_ != nullptr) {
        if (const auto exact = refiner_->picture(lane.channel().id)) kept.picture = *exact;
    }
    return kept.is_moved ? kept.moved : kept.picture;
}

void LanePictures::finish(const Context& context, const std::vector<VisibleRow>& rows) {
    std::vector<timeline::Refiner::Wanted> lanes;
    rough_ = false;
    for (const VisibleRow& visible : rows) {
        if (visible.row->lane == nullptr || context.tree.is_derived(*visible.row->lane)) continue;
        const store::Lane& lane = *visible.row->lane;
        const std::uint64_t known = context.known_until(lane);
        lanes.push_back({lane.channel().id, context.offset_of(lane), known < context.view.now() ? known : store::kNever});
        rough_ = rough_ || kept_[{visible.row->lane, 0}].picture.rough;
    }
    std::erase_if(kept_, [&](const auto& entry) { return entry.second.frame + kForgetFrames < frame_; });
    if (rough_) refine(context, std::move(lanes));
}

// Of an agent the refiner has the rows that were there when it was made: where more are in sight, another one is, once the
// view rests.
void LanePictures::refine(const Context& context, std::vector<timeline::Refiner::Wanted> lanes) {
    const timeline::Viewport& port = context.view.port();
    const std::uint64_t last = port.visible().last;
    std::uint64_t last_of_lanes = last;
    for (const auto& lane : lanes) {
        if (lane.later < 0) last_of_lanes = std::max(last_of_lanes, last + static_cast<std::uint64_t>(-lane.later));
    }
    const bool knows_too_little = refined_until_ < std::min(last_of_lanes, context.session.last_tick());
    const bool rests = std::exchange(rough_port_, port) == port;
    if (refiner_ != nullptr && knows_too_little && rests) {
        leaving_ = JobRunner::shared().start(
            "letting go of old pictures",
            [old = std::shared_ptr(std::move(refiner_))](JobRunner::Control& /*control*/) mutable { old.reset(); });
    }
    if (refiner_ == nullptr) {
        if (!rests || context.is_growing_in({0, last_of_lanes})) return;
        refined_until_ = context.source.can_run() ? last_of_lanes : ~std::uint64_t{0};  // one that is away may come back
        refiner_ = std::make_unique<timeline::Refiner>(
            [view = context.session.view()](store::Session& session) { view.open(session, ingest::kPictureCache); });
    }
    refiner_->want(port, std::min(context.view.now(), last + 1), lanes);  // what is drawn does not depend on a later now
}

const timeline::LanePicture* LanePictures::shown(const store::Lane& lane) const {
    const auto found = kept_.find({&lane, 0});
    if (found == kept_.end() || found->second.frame != frame_) return nullptr;
    return found->second.is_moved ? &found->second.moved : &found->second.picture;
}

double LanePictures::refined() const {
    if (!rough_) return 1;
    return refiner_ == nullptr ? 0 : refiner_->progress();
}

}  // namespace sla::ui
