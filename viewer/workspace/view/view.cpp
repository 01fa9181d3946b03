#include "viewer/workspace/view/view.h"

#include "viewer/analysis/known_extents.h"

#include <algorithm>
#include <cmath>
#include <ranges>
#include <utility>

namespace sla::workspace {

namespace {

constexpr double kGlideSeconds = 0.12;
constexpr double kFollowPlace = 0.96;      // of the width: where the newest tick stands
constexpr double kFirstLiveSeconds = 1.0;  // what a live view shows at first
constexpr double kCatchUp = 6.0;           // share of the lag made good a second
constexpr double kStalled = 0.5;           // seconds without anything newer: the picture does not run on
constexpr double kFitMargin = 0.02;

double eased(double t) {
    return 1.0 - (1.0 - t) * (1.0 - t) * (1.0 - t);
}

// Where all events are of times that sources make up, the machine's clock does not say how far those went.
bool goes_by_machine(const store::Session& session) {
    return std::ranges::any_of(
        session.lanes(), [&](const store::Lane* lane) { return !lane->empty() && !analysis::has_own_time(session, *lane); });
}

timeline::TickRange extent_of(const store::Session& session) {
    std::uint64_t first = session.is_empty() ? session.origin().start_tick : session.first_tick();
    if (session.history() && !session.is_empty()) first = std::min(first, session.history()->oldest_tick);
    const bool runs_on = !session.ended() && (session.is_empty() || goes_by_machine(session));
    const std::uint64_t last = std::max(session.last_tick(), runs_on ? session.watermark() : 0);
    return {first, std::max(last, first + 1)};
}

}  // namespace

void View::advance(const store::Session& session, double width, double seconds) {
    for (timeline::Viewport* port : {&shown_, &from_, &target_}) port->set_width(width);
    extent_ = extent_of(session);
    const bool any = !session.is_empty();
    if (!placed_ && any) {
        placed_ = true;
        if (follow_) {
            const double ticks = session.clock().ticks_per_second() * kFirstLiveSeconds;
            target_.show({extent_.last, extent_.last + static_cast<std::uint64_t>(ticks)});
        } else {
            fitted_ = true;
        }
        newest_ = static_cast<double>(extent_.length());
        jump();
    }
    if (fitted_) {
        target_.show(extent_, kFitMargin);
        jump();
    }
    if (follow_ && any) follow_newest(session, seconds);
    glide_time_ += seconds;
    const double t = motion_ ? std::min(glide_time_ / kGlideSeconds, 1.0) : 1.0;
    shown_ = timeline::Viewport::between(from_, target_, eased(t));
}

// The newest tick comes in steps, as batches do; the picture runs by the clock and leans towards it.
void View::follow_newest(const store::Session& session, double seconds) {
    const double hertz = session.clock().ticks_per_second();
    const auto known = static_cast<double>(extent_.length());
    stalled_ = known == known_ ? stalled_ + seconds : 0;
    known_ = known;
    if (session.ended() || stalled_ > kStalled) {
        newest_ = known;
    } else {
        newest_ += hertz * seconds;
        const double lag = known - newest_;
        newest_ = std::abs(lag) > hertz / 2 ? known : newest_ + lag * std::min(1.0, kCatchUp * seconds);
    }
    target_.place(extent_.first + static_cast<std::uint64_t>(std::max(newest_, 0.0)), target_.width() * kFollowPlace);
    if (glide_time_ >= kGlideSeconds || !motion_) {
        from_ = target_;
    } else {
        from_.place(extent_.first + static_cast<std::uint64_t>(std::max(newest_, 0.0)), from_.width() * kFollowPlace);
    }
}

void View::zoom_at(double x, double factor) {
    fitted_ = false;
    target_.zoom_at(follow_ ? target_.width() * kFollowPlace : x, factor);
    target_.keep_near(extent_);
    ++moves_;
    glide();
}

void View::pan(double pixels) {
    moved();
    target_.pan(pixels);
    target_.keep_near(extent_);
    jump();
}

void View::glide_pan(double pixels) {
    moved();
    target_.pan(pixels);
    target_.keep_near(extent_);
    glide();
}

void View::show(timeline::TickRange range, double margin) {
    moved();
    placed_ = true;
    target_.show(range, margin);
    glide();
}

void View::fit() {
    show(extent_, kFitMargin);
}

void View::go_to_start() {
    moved();
    target_.place(extent_.first, target_.width() * (1.0 - kFollowPlace));
    glide();
}

void View::go_to_end() {
    moved();
    target_.place(extent_.last, target_.width() * kFollowPlace);
    glide();
}

void View::reveal(std::uint64_t tick) {
    const double x = target_.x_of(tick);
    if (x >= 0 && x < target_.width()) return;
    go_to(tick);
    if (tick < extent_.first || tick > extent_.last) return;  // of a lane that is drawn later than it happened
    // As near to the middle as the ends allow: where nothing is, nobody looks.
    const double margin = target_.width() * kFitMargin;
    if (target_.x_of(extent_.last) < target_.width() - margin) target_.place(extent_.last, target_.width() - margin);
    if (target_.x_of(extent_.first) > margin) target_.place(extent_.first, margin);
}

void View::go_to(std::uint64_t tick) {
    moved();
    target_.place(tick, target_.width() / 2);
    glide();
}

void View::set_folds(std::vector<timeline::TickRange> intervals) {
    auto folds = std::make_shared<const timeline::Folds>(std::move(intervals));
    const auto same = [](const timeline::Folds* now, const timeline::Folds& wanted) {
        return now == nullptr ? wanted.empty() : std::ranges::equal(now->intervals(), wanted.intervals());
    };
    if (!same(target_.folds(), *folds)) fold(folds);
}

std::vector<timeline::TickRange> View::folds() const {
    if (target_.folds() == nullptr) return {};
    const auto intervals = target_.folds()->intervals();
    return {intervals.begin(), intervals.end()};
}

void View::fold(const std::shared_ptr<const timeline::Folds>& folds) {
    target_.set_folds(folds);
    jump();
    ++moves_;
}

void View::set_follow(bool follow) {
    if (follow == follow_) return;
    follow_ = follow;
    fitted_ = false;
    if (follow) newest_ = static_cast<double>(extent_.length());
    if (placed_) glide();
}

ShownPlace View::place() const {
    if (follow_) return {ViewMode::kNewest};
    if (fitted_ || !placed_) return {ViewMode::kAll};
    return {ViewMode::kRange, target_.first_tick_from(0.0), target_.ticks_per_pixel()};
}

void View::go_back_to(const ShownPlace& place) {
    if (place.mode == ViewMode::kRange) {
        moved();
        placed_ = true;
        target_.stand(place.first_tick, place.ticks_per_pixel);
        glide();
        return;
    }
    if (place.mode == ViewMode::kAll) {
        moved();
        fitted_ = true;
    }
    set_follow(place.mode == ViewMode::kNewest);
}

void View::begin_like(const View& other) {
    *this = other;
    set_follow(false);
    jump();
}

void View::glide() {
    from_ = shown_;
    glide_time_ = 0.0;
}

void View::jump() {
    from_ = target_;
    shown_ = target_;
    glide_time_ = kGlideSeconds;
}

void View::moved() {
    follow_ = false;
    fitted_ = false;
    ++moves_;
}

}  // namespace sla::workspace
