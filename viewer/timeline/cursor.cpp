#include "viewer/timeline/cursor.h"

#include <algorithm>
#include <cmath>

namespace sla::timeline {

std::optional<Measurement> measure(const CursorPair& cursors, const time::ClockMap& clock) {
    if (!cursors.a || !cursors.b) return std::nullopt;
    Measurement result;
    result.ticks = static_cast<std::int64_t>(cursors.b->tick - cursors.a->tick);
    result.ps = clock.ticks_to_ps(result.ticks);
    result.error_ps = clock.error_between(cursors.a->tick, cursors.b->tick, kCursorStamps);
    if (result.ps != 0) result.hertz = 1e12 / std::abs(static_cast<double>(result.ps));
    return result;
}

std::uint64_t events_between(const CursorPair& cursors, const store::Lane& lane) {
    if (!cursors.a || !cursors.b) return 0;
    const auto [first, last] = std::minmax(cursors.a->tick, cursors.b->tick);
    return lane.summarize(first, last + 1).events;
}

}  // namespace sla::timeline
