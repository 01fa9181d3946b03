// Number checks: limits on how many events there were, how many a second, and how many were lost.
#pragma once

#include "viewer/analysis/known_extents.h"
#include "viewer/analysis/limits/verdict.h"
#include "viewer/store/session.h"

#include <cstdint>
#include <string>
#include <vector>

namespace sla::analysis {

// What the lanes' rows say.
struct NumberCounts {
    std::uint64_t events = 0;
    std::uint64_t lost = 0;  // for the limit: what was not kept was not lost, but it is missing where events are counted
    std::uint64_t not_kept = 0;
    std::uint64_t lost_at_borders = 0;  // and not among those: by losses that last over the range's begin or its end
    bool uncounted = false;             // some of them are of an unknown number
    bool left_out = false;              // and some are not there on purpose, as between a trigger's windows
    std::uint64_t first_gap_tick = 0;   // 0: there is none
};

// Of losses before that tick, which last behind it: any of their events may have come there. `are_counted`: the limit is on what was
// lost itself.
void count_losses_before(const store::Lane& lane, std::uint64_t from, bool are_counted, NumberCounts& counts);
// Of losses in the range that last behind its end, which were counted whole: nobody knows how many of their events lie in it.
void part_losses_behind(const store::Lane& lane, const Selection& range, NumberCounts& counts);
// Of all these lanes together.
Finding check_number(const store::Session& session, const Limit& limit, const Selection& range,
                     const std::vector<const store::Lane*>& lanes, const KnownExtents& extents);
// The same of what was counted in that range. `channel`: "" for all together. `extent`: what rates are counted over.
Finding number_finding(const store::Session& session, const Limit& limit, const Selection& range, const std::string& channel,
                       const NumberCounts& counts, const KnownExtent& extent);

}  // namespace sla::analysis
