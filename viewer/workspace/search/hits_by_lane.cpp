#include "viewer/workspace/search/hits_by_lane.h"

#include <algorithm>

namespace sla::workspace {

void HitsByLane::clear() {
    positions_.clear();
    known_ = 0;
}

void HitsByLane::follow(const std::vector<Hit>& hits) {
    std::vector<std::uint32_t>* of_lane = nullptr;
    for (const store::Lane* lane = nullptr; known_ < hits.size(); ++known_) {
        if (of_lane == nullptr || hits[known_].lane != lane) {
            lane = hits[known_].lane;
            of_lane = &positions_[lane];
        }
        of_lane->push_back(static_cast<std::uint32_t>(known_));
    }
}

std::span<const std::uint32_t> HitsByLane::of(const store::Lane* lane) const {
    const auto found = positions_.find(lane);
    return found == positions_.end() ? std::span<const std::uint32_t>() : std::span(found->second);
}

std::size_t next_of(std::span<const std::uint32_t> positions, const std::vector<Hit>& hits, std::size_t from,
                    std::uint64_t tick) {
    const auto is_before = [&](std::uint32_t position) { return hits[position].tick < tick; };
    std::size_t low = from;
    std::size_t stride = 1;
    while (low < positions.size() && is_before(positions[low])) {
        from = low + 1;
        low += stride;
        stride *= 2;
    }
    const std::size_t high = std::min(low, positions.size());
    const auto begin = positions.begin();
    const auto found = std::partition_point(begin + static_cast<std::ptrdiff_t>(from),
                                            begin + static_cast<std::ptrdiff_t>(high), is_before);
    return static_cast<std::size_t>(found - begin);
}

}  // namespace sla::workspace
