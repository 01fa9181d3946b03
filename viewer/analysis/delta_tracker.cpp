#include "viewer/analysis/delta_tracker.h"

#include <algorithm>
#include <utility>

namespace sla::analysis {

std::int64_t DeltaTracker::error_of(std::uint64_t distance) {
    if (distance >= step_from_ && distance <= step_to_) return step_error_ps_;
    const std::int64_t error = clock_.delta_error_ps(distance);
    if (error == step_error_ps_ && step_from_ <= step_to_) {
        step_from_ = std::min(step_from_, distance);
        step_to_ = std::max(step_to_, distance);
    } else {
        step_from_ = step_to_ = distance;
        step_error_ps_ = error;
    }
    return error;
}

std::optional<std::uint64_t> DeltaTracker::before_in_lane(const store::Place& place) {
    if (some_missing_) {
        const auto [at, first] = last_of_lane_.try_emplace(place.lane, place.tick);
        if (first) return std::nullopt;
        return std::exchange(at->second, place.tick);
    }
    if (place.index == 0) return std::nullopt;
    const std::uint64_t own = place.lane->tick(place.index - 1);
    return own >= from_ ? std::optional(own) : std::nullopt;
}

Deltas DeltaTracker::next(const store::Place& place) {
    Deltas deltas;
    std::uint64_t longest = 0;
    if (has_last_) {
        longest = place.tick - last_tick_;
        deltas.any_ps = clock_.ticks_to_ps(static_cast<std::int64_t>(longest));
    }
    if (const auto own = before_in_lane(place)) {
        longest = std::max(longest, place.tick - *own);
        deltas.channel_ps = clock_.ticks_to_ps(static_cast<std::int64_t>(place.tick - *own));
    }
    if (deltas.any_ps || deltas.channel_ps) deltas.error_ps = error_of(longest);
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
