#include "viewer/store/lane_changes.h"

namespace sla::store {

void LaneTotals::replace(const LaneTotals& before, const LaneTotals& now) {
    events += now.events - before.events;
    gaps += now.gaps - before.gaps;
    lost += now.lost - before.lost;
    not_kept += now.not_kept - before.not_kept;
    uncounted += now.uncounted - before.uncounted;
    lost_in_rings += now.lost_in_rings - before.lost_in_rings;
    lost_by_reader += now.lost_by_reader - before.lost_by_reader;
    lossy_lanes += now.lossy_lanes - before.lossy_lanes;
}

void LaneChanges::note(LaneChange& lane, const LaneTotals& totals, std::uint32_t shape) {
    totals_.replace(lane.counted, totals);
    lane.counted = totals;
    if (lane.number == 0 || lane.shape != shape) note_shape();
    lane.shape = shape;
    lane.number = ++newest_number_;
    if (newest_ == &lane) return;
    if (lane.newer != nullptr) lane.newer->older = lane.older;
    if (lane.older != nullptr) lane.older->newer = lane.newer;
    lane.newer = nullptr;
    lane.older = newest_;
    if (newest_ != nullptr) newest_->newer = &lane;
    newest_ = &lane;
}

}  // namespace sla::store
