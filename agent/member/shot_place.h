// The instant at which another host fired, by this host's clock: by pings between the two, or by both wall clocks, whichever
// bounds it better. Pure.
#pragma once

#include "agent/member/own_clock.h"
#include "agent/retain/retention.h"
#include "proto/fleet/talk.h"
#include "proto/time/host_axis.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sla::member {

struct ShotPlace {
    std::uint64_t tick = 0;
    std::int64_t error_ns = 0;  // ±
    bool is_bounded = true;     // no: the wall clocks may be further apart than anybody knows
    std::string by;             // for people
};

// `readings`: what our pings say of that host's clock (tick ours, peer_tick theirs). Nothing when neither way leads there.
std::optional<ShotPlace> place_shot(const fleet::FleetShot& shot, const std::vector<time::PeerReading>& readings,
                                    const OwnClock::View& own);

// The window around it, so much wider at both ends that it holds the other host's for certain; but not by more than a second.
retain::Interval window_around(const ShotPlace& place, const fleet::FleetShot& shot, const time::ClockMap& own);

}  // namespace sla::member
