// How well stamps of another host stand on this axis: what is left of a HostAxis once its stamps were moved. It bounds times
// between stamps of two hosts, and what moving did to times between two stamps of one. Or stamps of a simulator that counts a time
// of its own (is_made_up): exact to a tick among themselves. Value type.
#pragma once

#include "proto/time/axis_map.h"
#include "proto/time/clock_map.h"

#include <cstdint>
#include <vector>

namespace sla::time {

struct HostErrors {
    struct Step {
        std::uint64_t tick = 0;  // of this axis; up to the next step
        std::int64_t error_ps = 0;
    };
    std::vector<Step> steps;      // by tick
    std::vector<AxisJump> jumps;  // by tick
    double stretch_ppb = 0;       // a short time may be so much longer or shorter here than by the host's own clock
    bool is_bounded = true;       // no: nothing bounds how far the two hosts' clocks are apart
    bool is_made_up = false;      // this host's own axis, but no counter was read for these stamps

    // ± of one stamp against this axis. Outside the steps it grows by kMaxDriftPpb of the distance.
    [[nodiscard]] std::int64_t error_ps(std::uint64_t tick, const ClockMap& axis) const;
    // ± that moving added to the time between two stamps of this host.
    [[nodiscard]] std::int64_t added_ps(std::uint64_t from_tick, std::uint64_t to_tick, const ClockMap& axis) const;
};

inline HostErrors made_up_time() {
    HostErrors errors;
    errors.is_made_up = true;
    return errors;
}

// Error (±, ps) of the time between two stamps of any hosts; null: the host whose clock the axis is. Made up stamps and others are
// taken for stamps of this host.
std::int64_t error_between(const ClockMap& axis, std::uint64_t from_tick, const HostErrors* from_host, std::uint64_t to_tick,
                           const HostErrors* to_host, Stamps stamps);

// For many times between stamps of the same two hosts: the axis with the greatest error that any of them may have.
ClockMap clock_between(const ClockMap& axis, const HostErrors* from_host, const HostErrors* to_host);

}  // namespace sla::time
