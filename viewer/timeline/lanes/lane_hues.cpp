#include "viewer/timeline/lanes/lane_hues.h"

#include <algorithm>
#include <string_view>
#include <vector>

namespace sla::timeline {

namespace {

// The name up to the dot behind `from`, that dot included; all of it when there is none.
std::string first_part(const std::string& name, std::size_t from) {
    const std::size_t dot = name.find('.', from);
    return dot == std::string::npos ? name : name.substr(0, dot + 1);
}

}  // namespace

std::size_t shared_parts(const std::vector<const store::Lane*>& lanes) {
    if (lanes.size() < 2) return 0;
    std::string_view shared = lanes.front()->channel().name;
    for (const store::Lane* lane : lanes) {
        const std::string& name = lane->channel().name;
        const auto differs = std::mismatch(shared.begin(), shared.end(), name.begin(), name.end()).first;
        shared = shared.substr(0, static_cast<std::size_t>(differs - shared.begin()));
    }
    return shared.rfind('.') + 1;  // none: 0
}

void LaneHues::add(const std::string& source_key, const store::Lane& lane, std::size_t shared) {
    const std::string& name = lane.channel().name;
    const std::string group = source_key + ":" + first_part(name, shared);
    Group& its = by_group_.try_emplace(group, Group{by_group_.size(), {}}).first->second;
    const std::size_t shade = its.shades.try_emplace(name, its.shades.size()).first->second;
    by_lane_[&lane] = its.hue % kHues + kHues * (shade % kShades);
}

std::size_t LaneHues::of(const store::Lane& lane) const {
    const auto found = by_lane_.find(&lane);
    return found == by_lane_.end() ? 0 : found->second;
}

}  // namespace sla::timeline
