// Two sessions of one agent, of which one has come later and is to get more of its history: how far it is, and whether it can
// take the other one's place.
#pragma once

#include "viewer/store/session.h"

#include <algorithm>
#include <cstdint>

namespace sla::workspace {

// The agent still holds all that is here, as far as it said.
inline bool is_all_held(const store::Session& session) {
    return std::ranges::all_of(session.lanes(), [&](const store::Lane* lane) {
        const store::Ledger* ledger = session.ledger(lane->channel().id);
        return lane->events() == 0 || ledger == nullptr ||
               (!ledger->retired && (ledger->retained_from_tick == 0 || ledger->retained_from_tick <= lane->first_tick()));
    });
}

// All that the other has, but for what came within the last moment.
inline bool has_reached(const store::Session& longer, const store::Session& other) {
    constexpr double kMomentSeconds = 0.5;
    const auto moment = static_cast<std::uint64_t>(other.clock().ticks_per_second() * kMomentSeconds);
    return longer.has_origin() && longer.origin().capture_id == other.origin().capture_id && longer.health().known &&
           longer.watermark() + moment >= other.watermark();
}

// Nothing is missing in the longer one that is in the other: what an agent gives up while it is asked is missing.
inline bool has_all_of(const store::Session& longer, const store::Session& other) {
    return std::ranges::all_of(other.lanes(), [&](const store::Lane* lane) {
        if (lane->events() == 0) return true;
        const store::Lane* twin = longer.lane(lane->channel().id);
        if (twin == nullptr || twin->empty() || twin->first_tick() > lane->first_tick()) return false;
        const auto here = twin->missing_between(lane->first_tick(), lane->last_tick());
        const auto there = lane->missing_between(lane->first_tick(), lane->last_tick());
        return here.lost <= there.lost && here.not_kept <= there.not_kept;
    });
}

// The other one says how much history there is.
inline double share_fetched(const store::Session& longer, const store::Session& other) {
    const std::uint64_t begin = longer.history() ? longer.history()->from_tick : other.history()->oldest_tick;
    const std::uint64_t now = other.watermark();
    const std::uint64_t reached = std::clamp(longer.watermark(), begin, std::max(begin, now));
    return now <= begin ? 0 : static_cast<double>(reached - begin) / static_cast<double>(now - begin);
}

}  // namespace sla::workspace
