// The two cursors and what lies between them.
#pragma once

#include "proto/time/clock_map.h"
#include "viewer/store/session.h"

#include <cstdint>
#include <optional>

namespace sla::timeline {

struct Cursor {
    std::uint64_t tick = 0;
    bool snapped = false;           // stands on an event
    std::uint32_t host = kAnyHost;  // whose stamp that is, as store::Host::id

    static constexpr std::uint32_t kAnyHost = ~std::uint32_t{0};
    bool operator==(const Cursor&) const = default;
};

struct CursorPair {
    std::optional<Cursor> a;
    std::optional<Cursor> b;
    bool operator==(const CursorPair&) const = default;
};

// A cursor does not know whose stamp it stands on, so the skew between cores counts.
inline constexpr time::Stamps kCursorStamps = time::Stamps::kTwoThreads;

// From A to B: negative when B is earlier.
struct Measurement {
    std::int64_t ticks = 0;
    std::int64_t ps = 0;
    std::int64_t error_ps = 0;  // ±
    double hertz = 0;           // 1/Δ, 0 when both stand on one tick
};

// Nothing until both cursors stand.
std::optional<Measurement> measure(const CursorPair& cursors, const store::Session& session);
// What of the error is there because stamps of other hosts were moved here: of a free cursor, that of the worst host.
std::int64_t host_error_ps(const CursorPair& cursors, const store::Session& session);
// Events of the lane (gap rows aside) from the earlier cursor to the later, both ends included. `later`: it is drawn so
// many ticks later.
std::uint64_t events_between(const CursorPair& cursors, const store::Lane& lane, std::int64_t later = 0);

}  // namespace sla::timeline
