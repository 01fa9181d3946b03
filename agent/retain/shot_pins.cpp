#include "agent/retain/shot_pins.h"

#include "proto/base/check.h"

#include <algorithm>
#include <utility>

namespace sla::retain {
namespace {

void make_disjoint(std::vector<Interval>& intervals) {
    std::sort(intervals.begin(), intervals.end(), [](const Interval& a, const Interval& b) { return a.first < b.first; });
    std::size_t kept = 0;
    for (std::size_t i = 1; i < intervals.size(); i++) {
        if (intervals[i].first <= intervals[kept].last) {
            intervals[kept].last = std::max(intervals[kept].last, intervals[i].last);
        } else {
            intervals[++kept] = intervals[i];
        }
    }
    if (!intervals.empty()) intervals.resize(kept + 1);
}

}  // namespace

void ShotPins::add(std::uint32_t trigger, Interval window, bool is_whole) {
    const std::uint64_t eighth = std::max<std::uint64_t>(1, (window.last - window.first) / 8);
    shots_.push_back({trigger, window, eighth, is_whole});
    if (!is_whole) lacking_[trigger]++;
    // Mostly the newest of all.
    if (intervals_.empty() || intervals_.back().last < window.first) {
        intervals_.push_back(window);
    } else {
        merge();
    }
}

void ShotPins::merge() {
    intervals_.clear();
    for (const Shot& shot : shots_) intervals_.push_back(shot.window);
    make_disjoint(intervals_);
}

// What was in it has become smaller.
void ShotPins::merge_again(const Interval& changed) {
    const auto at = std::partition_point(intervals_.begin(), intervals_.end(),
                                         [&](const Interval& interval) { return interval.last < changed.first; });
    std::vector<Interval> left;
    for (const Shot& shot : shots_) {
        if (shot.window.first <= at->last && shot.window.last >= at->first) left.push_back(shot.window);
    }
    make_disjoint(left);
    intervals_.insert(intervals_.erase(at), left.begin(), left.end());
}

bool ShotPins::reach(std::uint64_t first, std::uint64_t until) const {
    const auto found = std::partition_point(intervals_.begin(), intervals_.end(),
                                            [&](const Interval& interval) { return interval.last < first; });
    return found != intervals_.end() && found->first < until;
}

Interval ShotPins::shrink() {
    SLA_CHECK(any());
    Shot& oldest = shots_.front();
    if (std::exchange(oldest.is_protected_whole, false)) loose_.push_back({oldest.trigger, oldest.window});
    if (loose_.size() > kMaxLoose) {
        lacking_[loose_.front().trigger]++;
        loose_.pop_front();
    }
    Interval gone = oldest.window;
    if (shots_.size() > 1 || oldest.window.last - oldest.window.first < oldest.eighth) {
        shots_.pop_front();
    } else {
        oldest.window.first += oldest.eighth;
        gone.last = oldest.window.first - 1;
    }
    merge_again(gone);
    return gone;
}

void ShotPins::give_up(const Interval& events) {
    std::erase_if(loose_, [&](const Loose& shot) {
        const bool is_hit =
            events.time == shot.window.time && events.last >= shot.window.first && events.first <= shot.window.last;
        if (is_hit) lacking_[shot.trigger]++;
        return is_hit;
    });
}

std::uint64_t ShotPins::lacking(std::uint32_t trigger) const {
    const auto found = lacking_.find(trigger);
    return found == lacking_.end() ? 0 : found->second;
}

}  // namespace sla::retain
