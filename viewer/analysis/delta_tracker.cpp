#include "viewer/analysis/delta_tracker.h"

namespace sla::analysis {

std::int64_t DeltaTracker::find_error(std::uint64_t from_tick, std::uint64_t to_tick, time::Stamps stamps) {
    if (!clock_.breaks().empty()) return clock_.error_between(from_tick, to_tick, stamps);
    const std::uint64_t distance = to_tick - from_tick;
    Step& step = steps_[static_cast<std::size_t>(stamps)];
    const std::int64_t error = clock_.delta_error_ps(distance, stamps);
    if (error == step.error_ps && step.from <= step.to) {
        step.from = std::min(step.from, distance);
        step.to = std::max(step.to, distance);
    } else {
        step = {distance, distance, error};
    }
    return error;
}

Deltas DeltaTracker::at(const time::ClockMap& clock, const store::Place& place, const std::optional<store::Place>& before) {
    Deltas deltas;
    const std::uint32_t thread = place.lane->thread(place.index);
    if (before) {
        const auto stamps = stamps_of(thread, before->lane->thread(before->index));
        deltas.any_ps = clock.ticks_to_ps(static_cast<std::int64_t>(place.tick - before->tick));
        deltas.error_ps = clock.error_between(before->tick, place.tick, stamps);
    }
    if (place.index > 0) {
        const std::uint64_t own = place.lane->tick(place.index - 1);
        const auto stamps = stamps_of(thread, place.lane->thread(place.index - 1));
        deltas.channel_ps = clock.ticks_to_ps(static_cast<std::int64_t>(place.tick - own));
        deltas.error_ps = std::max(deltas.error_ps.value_or(0), clock.error_between(own, place.tick, stamps));
    }
    return deltas;
}

}  // namespace sla::analysis
