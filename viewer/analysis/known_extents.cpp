#include "viewer/analysis/known_extents.h"

#include "viewer/analysis/intervals/loss_reach.h"

#include <algorithm>

namespace sla::analysis {

KnownExtent known_extent(const store::Session& session, const Selection& range, std::uint64_t known) {
    const std::uint64_t late = store::late_begin(session);
    const std::uint64_t first =
        late != 0 ? late : std::min(session.origin().start_tick, store::rows_by_machine(session).first);
    return {std::max({range.from, first, session.origin().begin_tick}),
            std::min({range.until, store::known_by_machine(session), known})};
}

KnownExtents::KnownExtents(const store::Session& session, const Selection& range, std::uint64_t known)
    : by_machine_(known_extent(session, range, known)), machine_end_(std::min(range.until, known)) {
    for (const store::Lane* lane : session.lanes()) {
        const store::Source* source = session.source_of(*lane);
        if (has_own_time(session, *lane)) {
            KnownExtent& extent = own_.try_emplace(source->id, KnownExtent{store::kNever, 0}).first->second;
            if (!lane->empty())
                extent = {std::min(extent.from, lane->first_tick()), std::max(extent.until, lane->last_tick())};
        }
        if (source == nullptr || !source->ended) continue;
        Gone& gone = gone_[source->id];
        if (lane->empty()) continue;
        gone.newest = std::max(gone.newest, lane->last_tick());
        if (!lane->gaps().empty()) gone.lossy.push_back(lane);
    }
    for (auto& [source, extent] : own_) extent = {std::max(extent.from, range.from), std::min(extent.until, range.until)};
}

KnownExtent KnownExtents::of(const store::Lane& lane) const {
    const auto own = own_.find(lane.channel().source);
    if (own != own_.end()) return own->second;
    const std::uint64_t newest = lane.empty() ? 0 : std::min(lane.last_tick(), machine_end_);
    return {by_machine_.from, std::max(by_machine_.until, newest)};
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
    return gone == gone_.end() ? known : std::min(gone->second.newest, known);
}

std::uint64_t KnownExtents::maybe_open_until(const store::Lane& lane) const {
    const auto found = gone_.find(lane.channel().source);
    const std::uint64_t known = of(lane).until;
    if (found == gone_.end()) return known;
    const Gone& gone = found->second;
    if (!gone.lost) {
        gone.lost = gone.newest;
        for (const store::Lane* lossy : gone.lossy) {
            const LossReach losses(*lossy, lossy->size(), lossy->last_tick());
            gone.lost = losses.is_open() ? store::kNever : std::max(*gone.lost, losses.until());
        }
    }
    return std::min(*gone.lost, known);
}

}  // namespace sla::analysis
