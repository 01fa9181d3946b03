// How many events a second a lane has, as every list, panel and header says it: over the part of a range in which the lane is
// recorded, which is from its first event that is here to its last row. So neither the time before a channel came counts, nor
// that after its end, nor what was lost or given up before all that is here. Where the first or last row is a loss that says
// when it ended, it is recorded from that end on, and up to that loss.
//
//   rows        n n n      e   e  e    e   e                     n  not kept, lost
//   recorded               ├───────────────┤
//   range             ├─────────────┤                            rate = events / the part that both share
#pragma once

#include "viewer/analysis/known_extents.h"
#include "viewer/analysis/selection.h"
#include "viewer/store/lane.h"

#include <cstdint>
#include <optional>

namespace sla::analysis {

// Nothing: no row is here. What stands before `begin` only says what held there (from_begin).
std::optional<KnownExtent> recorded_part(const store::Lane& lane, std::uint64_t begin = 0);

// Without those that only say what held before the begin of a part that was cut out.
std::uint64_t own_events(const store::Session& session, const store::Lane& lane);

// The same, told apart by what of the file can be read, and without what is lost by rows that say so.
struct ReadableEvents {
    std::uint64_t events = 0;
    std::uint64_t unreadable = 0;
    std::uint64_t unreadable_pages = 0;
};
ReadableEvents readable_events(const store::Session& session, const store::Lane& lane, store::PageSource::Look look);

// `events`: of the lane in the range. The first one of all only begins the time: of the whole lane the rate is that of the times
// between its events. Nothing: no part of the range is recorded, or only a moment.
std::optional<double> rate_of(const store::Lane& lane, const Selection& range, std::uint64_t events,
                              double ticks_per_second);

}  // namespace sla::analysis
