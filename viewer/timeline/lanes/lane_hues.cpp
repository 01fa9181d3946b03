#include "viewer/timeline/lanes/lane_hues.h"

#include "viewer/timeline/lanes/natural_order.h"

#include <algorithm>
#include <map>
#include <vector>

namespace sla::timeline {

namespace {

// The name up to the dot behind `from`, that dot included; all of it when there is none.
std::string first_part(const std::string& name, std::size_t from) {
    const std::size_t dot = name.find('.', from);
    return dot == std::string::npos ? name : name.substr(0, dot + 1);
}

// How much of their names all lanes share, in whole parts; of one lane nothing.
std::size_t shared_parts(const std::vector<const store::Lane*>& lanes) {
    std::size_t shared = 0;
    if (lanes.size() < 2) return shared;
    for (;;) {
        const std::string part = first_part(lanes.front()->channel().name, shared);
        const auto has_part = [&](const store::Lane* lane) { return lane->channel().name.starts_with(part); };
        if (part.back() != '.' || !std::all_of(lanes.begin(), lanes.end(), has_part)) return shared;
        shared = part.size();
    }
}

bool is_named_before(const store::Lane* a, const store::Lane* b) {
    return natural_less(a->channel().name, b->channel().name);
}

}  // namespace

void LaneHues::refresh(const store::Session& session, const std::unordered_map<SourceId, std::string>& source_keys) {
    std::map<SourceId, std::vector<const store::Lane*>> by_source;
    for (const store::Lane* lane : session.lanes()) by_source[lane->channel().source].push_back(lane);
    by_lane_.clear();
    for (auto& [id, lanes] : by_source) {
        std::sort(lanes.begin(), lanes.end(), is_named_before);
        const std::size_t shared = shared_parts(lanes);
        for (const store::Lane* lane : lanes) {
            const std::string group = source_keys.at(id) + ":" + first_part(lane->channel().name, shared);
            Group& its = by_group_.try_emplace(group, Group{by_group_.size(), {}}).first->second;
            const std::size_t shade = its.shades.try_emplace(lane->channel().name, its.shades.size()).first->second;
            by_lane_[lane] = its.hue % kHues + kHues * (shade % kShades);
        }
    }
}

std::size_t LaneHues::of(const store::Lane& lane) const {
    const auto found = by_lane_.find(&lane);
    return found == by_lane_.end() ? 0 : found->second;
}

}  // namespace sla::timeline
