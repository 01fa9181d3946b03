#include "viewer/timeline/lanes/folds.h"

#include <algorithm>

namespace sla::timeline {

Folds::Folds(std::vector<TickRange> intervals) {
    std::sort(intervals.begin(), intervals.end(), [](const TickRange& a, const TickRange& b) { return a.first < b.first; });
    for (const TickRange& next : intervals) {
        if (next.length() == 0) continue;
        if (!intervals_.empty() && next.first <= intervals_.back().last) {
            intervals_.back().last = std::max(intervals_.back().last, next.last);
        } else {
            intervals_.push_back(next);
        }
    }
    std::int64_t taken = 0;
    for (const TickRange& interval : intervals_) {
        taken_before_.push_back(taken);
        taken += static_cast<std::int64_t>(interval.length());
    }
}

std::int64_t Folds::place_of(std::int64_t tick) const {
    const auto behind = std::upper_bound(
        intervals_.begin(), intervals_.end(), tick,
        [](std::int64_t at, const TickRange& interval) { return at < static_cast<std::int64_t>(interval.first); });
    if (behind == intervals_.begin()) return tick;
    const auto at = static_cast<std::size_t>(behind - intervals_.begin()) - 1;
    const TickRange& interval = intervals_[at];
    const std::int64_t into = tick - static_cast<std::int64_t>(interval.first);
    return tick - taken_before_[at] - std::min(into, static_cast<std::int64_t>(interval.length()));
}

std::int64_t Folds::tick_at(std::int64_t place) const {
    // The last interval whose place lies before this one: all of it was taken out.
    std::size_t low = 0;
    for (std::size_t high = intervals_.size(); low < high;) {
        const std::size_t middle = low + (high - low) / 2;
        const bool before = static_cast<std::int64_t>(intervals_[middle].first) - taken_before_[middle] < place;
        (before ? low : high) = before ? middle + 1 : middle;
    }
    if (low == 0) return place;
    return place + taken_before_[low - 1] + static_cast<std::int64_t>(intervals_[low - 1].length());
}

}  // namespace sla::timeline
