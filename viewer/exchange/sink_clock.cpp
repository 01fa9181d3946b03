#include "viewer/exchange/sink_clock.h"

#include <algorithm>
#include <cmath>

namespace sla::exchange {

std::vector<time::ClockSnapshot> snapshots_of(const SinkClock& clock) {
    const double hz = std::clamp(clock.ticks_per_second, 1e3, 1e12);
    const double farthest = std::min(0x1p58, hz * 4e9);
    const double most_error = 4e9;  // what error_ticks can say
    const double distance = clock.error_ppb > 0 ? std::min(farthest, most_error / clock.error_ppb * 1e9) : farthest;
    time::ClockSnapshot first;
    first.tick = clock.origin_tick;
    first.realtime_ns = clock.realtime_ns;
    time::ClockSnapshot last;
    const auto ticks = static_cast<std::uint64_t>(std::max(distance, 1e6));
    last.tick = first.tick + ticks;
    last.monotonic_raw_ns =
        static_cast<std::int64_t>(std::llround(static_cast<long double>(ticks) * 1e9L / static_cast<long double>(hz)));
    last.error_ticks = static_cast<std::uint32_t>(std::min(clock.error_ppb * 1e-9 * static_cast<double>(ticks), most_error));
    return {first, last};
}

}  // namespace sla::exchange
