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

DeltaTracker::TickDeltas DeltaTracker::next_of_hosts(Stamp& last_of_lane, std::uint64_t tick, std::uint32_t thread) {
    TickDeltas deltas;
    deltas.has_any = has_last_;
    deltas.has_channel = last_of_lane.known;
    const time::HostErrors* host = last_of_lane.host;
    const auto since = [&](std::uint64_t from, std::uint32_t from_thread, const time::HostErrors* from_host) {
        const std::int64_t error = time::error_between(clock_, from, from_host, tick, host, stamps_of(thread, from_thread));
        deltas.error_ps = std::max(deltas.error_ps, error);
        return tick - from;
    };
    if (last_of_lane.known) deltas.channel = since(last_of_lane.tick, last_of_lane.thread, host);
    if (has_last_) deltas.any = since(last_tick_, last_thread_, last_host_);
    last_of_lane = {tick, thread, true, host};
    has_last_ = true;
    last_tick_ = tick;
    last_thread_ = thread;
    last_host_ = host;
    return deltas;
}

Deltas DeltaTracker::at(const store::Session& session, const store::RowRef& place,
                        const std::optional<store::RowRef>& before, const std::optional<store::RowRef>& before_in_lane) {
    Deltas deltas;
    const std::uint32_t thread = place.lane->thread(place.index);
    const auto since = [&](const store::RowRef& from) {
        const auto stamps = stamps_of(thread, from.lane->thread(from.index));
        const std::int64_t error = session.error_between(*from.lane, from.tick, *place.lane, place.tick, stamps);
        deltas.error_ps = std::max(deltas.error_ps.value_or(0), error);
        return session.clock().ticks_to_ps(static_cast<std::int64_t>(place.tick - from.tick));
    };
    const std::uint64_t begin = session.origin().begin_tick;
    if (before && before->tick >= begin) deltas.any_ps = since(*before);
    if (before_in_lane && before_in_lane->tick >= begin) deltas.channel_ps = since(*before_in_lane);
    return deltas;
}

}  // namespace sla::analysis
