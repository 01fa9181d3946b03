#include "viewer/cli/follow_end.h"

#include "viewer/analysis/followed_lanes.h"
#include "viewer/analysis/known_extents.h"

#include <algorithm>
#include <map>
#include <utility>

namespace sla::cli {

bool OwnTimes::have_reached(const store::Session& session, std::uint64_t tick, std::uint64_t final_tick) {
    if (final_tick == store::kNever) return true;
    const bool is_another = std::exchange(final_tick_, final_tick) != final_tick;
    if (!are_there(session, tick)) {
        watermarks_ = 0;
        return false;
    }
    watermarks_ += is_another ? 1 : 0;
    return !has_any_ || watermarks_ > kWatermarks;
}

bool OwnTimes::are_there(const store::Session& session, std::uint64_t tick) {
    std::map<const store::Source*, std::uint64_t> newest;
    has_any_ = false;
    for (const store::Lane* lane : session.lanes()) {
        if (!channels_.empty() && !analysis::is_called_any_of(lane->channel().name, channels_)) continue;
        if (!analysis::has_own_time(session, *lane)) continue;
        has_any_ = true;
        const store::Source* source = session.source_of(*lane);
        if (source->ended) continue;
        std::uint64_t& so_far = newest[source];
        if (!lane->empty()) so_far = std::max(so_far, lane->last_tick());
    }
    const auto late = std::find_if(newest.begin(), newest.end(), [=](const auto& one) { return one.second < tick; });
    waits_for_ = late == newest.end() ? std::string() : late->first->name;
    return late == newest.end();
}

}  // namespace sla::cli
