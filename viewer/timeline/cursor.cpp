#include "viewer/timeline/cursor.h"

#include "proto/time/picoseconds.h"
#include "viewer/timeline/tick_range.h"

#include <algorithm>
#include <cmath>

namespace sla::timeline {

namespace {

// ± of what a cursor stands on against the session's clock.
std::int64_t placed_error_ps(const Cursor& cursor, const store::Session& session) {
    std::int64_t most = 0;
    for (const auto& [id, host] : session.hosts()) {
        if (cursor.host == Cursor::kAnyHost || cursor.host == id)
            most = std::max(most, host.errors.error_ps(cursor.tick, session.clock()));
    }
    return most;
}

}  // namespace

std::int64_t host_error_ps(const CursorPair& cursors, const store::Session& session) {
    if (session.hosts().empty() || !cursors.a || !cursors.b) return 0;
    const auto& a = *cursors.a;
    const auto& b = *cursors.b;
    if (a.host == b.host && a.host != Cursor::kAnyHost) {
        const auto host = session.hosts().find(a.host);
        return host == session.hosts().end() ? 0 : host->second.errors.added_ps(a.tick, b.tick, session.clock());
    }
    return time::saturated(static_cast<long double>(placed_error_ps(a, session)) +
                           static_cast<long double>(placed_error_ps(b, session)));
}

std::optional<Measurement> measure(const CursorPair& cursors, const store::Session& session) {
    if (!cursors.a || !cursors.b) return std::nullopt;
    const time::ClockMap& clock = session.clock();
    Measurement result;
    result.ticks = static_cast<std::int64_t>(cursors.b->tick - cursors.a->tick);
    result.ps = clock.ticks_to_ps(result.ticks);
    const std::int64_t own = clock.error_between(cursors.a->tick, cursors.b->tick, kCursorStamps);
    result.error_ps =
        time::saturated(static_cast<long double>(own) + static_cast<long double>(host_error_ps(cursors, session)));
    if (result.ps != 0) result.hertz = 1e12 / std::abs(static_cast<double>(result.ps));
    return result;
}

std::uint64_t events_between(const CursorPair& cursors, const store::Lane& lane, std::int64_t later) {
    if (!cursors.a || !cursors.b) return 0;
    const auto [first, last] = std::minmax(cursors.a->tick, cursors.b->tick);
    return lane.summarize(earlier(first, later), earlier(last + 1, later)).events;
}

}  // namespace sla::timeline
