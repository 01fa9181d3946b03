// What a file says of its clock, and the readings that say the same in a capture. Private to the room.
#pragma once

#include "proto/time/clock_map.h"

#include <cstdint>
#include <vector>

namespace sla::exchange {

// Ticks must stay below 2^59.
struct SinkClock {
    std::uint64_t origin_tick = 0;
    double ticks_per_second = 1e9;
    double error_ppb = 0;
    std::int64_t realtime_ns = 0;  // of the origin; 0: not known
};

// Two readings so far apart that whole nanoseconds give the rate exactly; the second one's error carries the rate's.
std::vector<time::ClockSnapshot> snapshots_of(const SinkClock& clock);

}  // namespace sla::exchange
