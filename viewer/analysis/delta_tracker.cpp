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

Deltas DeltaTracker::at(const time::ClockMap& clock, const store::Place& place, const std::optional<store::Place>& before,
                        const std::optional<store::Place>& before_in_lane) {
    Deltas deltas;
    const std::uint32_t thread = place.lane->thread(place.index);
    const auto since = [&](const store::Place& from) {
        const auto stamps = stamps_of(thread, from.lane->thread(from.index));
        deltas.error_ps = std::max(deltas.error_ps.value_or(0), clock.error_between(from.tick, place.tick, stamps));
        return clock.ticks_to_ps(static_cast<std::int64_t>(place.tick - from.tick));
    };
    if (before) deltas.any_ps = since(*before);
    if (before_in_lane) deltas.channel_ps = since(*before_in_lane);
    return deltas;
}

}  // namespace sla::analysis
