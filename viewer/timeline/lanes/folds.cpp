#include "viewer/timeline/lanes/folds.h"

#include <algorithm>

namespace sla::timeline {

Folds::Folds(std::vector<TickRange> stretches) {
    std::sort(stretches.begin(), stretches.end(), [](const TickRange& a, const TickRange& b) { return a.first < b.first; });
    for (const TickRange& next : stretches) {
        if (next.length() == 0) continue;
        if (!stretches_.empty() && next.first <= stretches_.back().last) {
            stretches_.back().last = std::max(stretches_.back().last, next.last);
        } else {
            stretches_.push_back(next);
        }
    }
    std::int64_t taken = 0;
    for (const TickRange& stretch : stretches_) {
        taken_before_.push_back(taken);
        taken += static_cast<std::int64_t>(stretch.length());
    }
}

std::int64_t Folds::place_of(std::int64_t tick) const {
    const auto behind = std::upper_bound(
        stretches_.begin(), stretches_.end(), tick,
        [](std::int64_t at, const TickRange& stretch) { return at < static_cast<std::int64_t>(stretch.first); });
    if (behind == stretches_.begin()) return tick;
    const auto at = static_cast<std::size_t>(behind - stretches_.begin()) - 1;
    const TickRange& stretch = stretches_[at];
    const std::int64_t into = tick - static_cast<std::int64_t>(stretch.first);
    return tick - taken_before_[at] - std::min(into, static_cast<std::int64_t>(stretch.length()));
}

std::int64_t Folds::tick_at(std::int64_t place) const {
    // The last stretch whose place lies before this one: all of it was taken out.
    std::size_t low = 0;
    for (std::size_t high = stretches_.size(); low < high;) {
        const std::size_t middle = low + (high - low) / 2;
        const bool before = static_cast<std::int64_t>(stretches_[middle].first) - taken_before_[middle] < place;
        (before ? low : high) = before ? middle + 1 : middle;
    }
    if (low == 0) return place;
    return place + taken_before_[low - 1] + static_cast<std::int64_t>(stretches_[low - 1].length());
}

}  // namespace sla::timeline
