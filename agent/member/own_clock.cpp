#include "agent/member/own_clock.h"

namespace sla::member {

void OwnClock::add(const time::ClockSnapshot& snapshot) {
    std::lock_guard lock(mutex_);
    if (snapshots_.size() == kKept) snapshots_.erase(snapshots_.begin() + 1);
    snapshots_.push_back(snapshot);
    is_new_ = true;
}

std::shared_ptr<const OwnClock::View> OwnClock::view() {
    std::vector<time::ClockSnapshot> snapshots;
    {
        std::lock_guard lock(mutex_);
        if (!is_new_) return view_;
        is_new_ = false;
        snapshots = snapshots_;
    }
    auto view = std::make_shared<View>();
    view->map = time::ClockMap::fit(snapshots, snapshots.empty() ? 0 : snapshots.front().tick, nominal_hz_);
    view->wall = time::WallAxis::of(snapshots, view->map);
    std::lock_guard lock(mutex_);
    view_ = view;
    return view;
}

}  // namespace sla::member
