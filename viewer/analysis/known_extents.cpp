#include "viewer/analysis/known_extents.h"

#include <algorithm>

namespace sla::analysis {

KnownExtent known_extent(const store::Session& session, const Selection& range) {
    const std::uint64_t known = std::max(session.watermark(), session.last_tick());
    // A file may begin long after its session did: rotated, cut, recorded from an agent that ran already.
    const std::uint64_t start = std::min(session.origin().start_tick, session.first_tick());
    const std::uint64_t first = session.begins_late() ? session.first_tick() : start;
    return {std::max({range.from, first, session.origin().begin_tick}), std::min(range.until, known)};
}

bool has_own_time(const store::Session& session, const store::Lane& lane) {
    const store::Source* source = session.source_of(lane);
    return source != nullptr && source->clock_domain != 0;
}

KnownExtents::KnownExtents(const store::Session& session, const Selection& range)
    : by_machine_(known_extent(session, range)) {
    std::uint64_t newest_by_machine = session.watermark();
    for (const store::Lane* lane : session.lanes()) {
        const store::Source* source = session.source_of(*lane);
        const bool is_own = has_own_time(session, *lane);
        if (!is_own && !lane->empty()) newest_by_machine = std::max(newest_by_machine, lane->last_tick());
        if (is_own) {
            KnownExtent& extent = own_.try_emplace(source->id, KnownExtent{store::kNever, 0}).first->second;
            if (!lane->empty())
                extent = {std::min(extent.from, lane->first_tick()), std::max(extent.until, lane->last_tick())};
        }
        if (source == nullptr || !source->ended) continue;
        std::uint64_t& newest = gone_[source->id];
        if (!lane->empty()) newest = std::max(newest, lane->last_tick());
    }
    by_machine_.until = std::min(by_machine_.until, newest_by_machine);
    for (auto& [source, extent] : own_) extent = {std::max(extent.from, range.from), std::min(extent.until, range.until)};
}

KnownExtent KnownExtents::of(const store::Lane& lane) const {
    const auto own = own_.find(lane.channel().source);
    return own == own_.end() ? by_machine_ : own->second;
}

KnownExtent KnownExtents::of(const std::vector<const store::Lane*>& lanes) const {
    if (lanes.empty()) return by_machine_;
    KnownExtent all{store::kNever, 0};
    for (const store::Lane* lane : lanes) {
        const KnownExtent one = of(*lane);
        all = {std::min(all.from, one.from), std::max(all.until, one.until)};
    }
    return all;
}

std::uint64_t KnownExtents::open_until(const store::Lane& lane) const {
    const auto gone = gone_.find(lane.channel().source);
    const std::uint64_t known = of(lane).until;
    return gone == gone_.end() ? known : std::min(gone->second, known);
}

}  // namespace sla::analysis
