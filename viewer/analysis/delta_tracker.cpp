#include "viewer/analysis/delta_tracker.h"

#include <algorithm>

namespace sla::analysis {

std::int64_t DeltaTracker::error_of(std::uint64_t distance) {
    if (distance != error_distance_) {
        error_distance_ = distance;
        error_ps_ = clock_.delta_error_ps(distance);
    }
    return error_ps_;
}

Deltas DeltaTracker::next(const store::Place& place) {
    Deltas deltas;
    if (has_last_) {
        const std::uint64_t any = place.tick - last_tick_;
        std::uint64_t longest = any;
        deltas.any_ps = clock_.ticks_to_ps(static_cast<std::int64_t>(any));
        const auto [own, first] = lane_ticks_.try_emplace(place.lane, place.tick);
        if (!first) {
            longest = std::max(longest, place.tick - own->second);
            deltas.channel_ps = clock_.ticks_to_ps(static_cast<std::int64_t>(place.tick - own->second));
            own->second = place.tick;
        }
        deltas.error_ps = error_of(longest);
    } else {
        lane_ticks_[place.lane] = place.tick;
    }
    has_last_ = true;
    last_tick_ = place.tick;
    return deltas;
}

Deltas DeltaTracker::at(const time::ClockMap& clock, const store::Place& place, const std::optional<store::Place>& before) {
    Deltas deltas;
    std::uint64_t longest = 0;
    if (before) {
        longest = place.tick - before->tick;
        deltas.any_ps = clock.ticks_to_ps(static_cast<std::int64_t>(longest));
    }
    if (place.index > 0) {
        const std::uint64_t own = place.tick - place.lane->tick(place.index - 1);
        longest = std::max(longest, own);
        deltas.channel_ps = clock.ticks_to_ps(static_cast<std::int64_t>(own));
    }
    if (deltas.any_ps || deltas.channel_ps) deltas.error_ps = clock.delta_error_ps(longest);
    return deltas;
}

}  // namespace sla::analysis
