#include "viewer/timeline/flame.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace sla::timeline {

namespace {

constexpr std::size_t kMaxFlameRows = 32;

FlameBar bar_of(const store::Lane& lane, const SpanBar& bar) {
    return {bar.x0, bar.x1, 0, 1, &lane, bar.begin_index, bar.begin_tick, bar.end_tick, bar.state};
}

FlameBar bar_of(const store::Lane& lane, const SpanSliver& sliver) {
    return {sliver.x,          sliver.x + 1,    0,
            sliver.count,      &lane,           sliver.begin_index,
            sliver.begin_tick, sliver.end_tick, store::SpanState::kClosed};
}

bool begins_before(const FlameBar& a, const FlameBar& b) {
    if (a.begin_tick != b.begin_tick) return a.begin_tick < b.begin_tick;
    return a.end_tick > b.end_tick;
}

// Below all that are open where it begins. What begins within a span of its own thread and ends after it stands below it too:
// they overlap, and neither hides the other.
void nest(FlameTrack& track) {
    std::sort(track.bars.begin(), track.bars.end(), begins_before);
    std::vector<std::uint64_t> open;  // ends, the outermost first
    for (FlameBar& bar : track.bars) {
        while (!open.empty() && open.back() <= bar.begin_tick) open.pop_back();
        const std::size_t row = std::min(open.size(), kMaxFlameRows - 1);
        bar.row = static_cast<std::uint16_t>(row);
        track.rows = std::max<std::uint16_t>(track.rows, static_cast<std::uint16_t>(row + 1));
        open.push_back(bar.end_tick);
    }
}

}  // namespace

Flame make_flame(std::span<const store::Lane* const> lanes, const Viewport& view,
                 const std::function<std::uint64_t(const store::Lane&)>& known_until) {
    Flame flame;
    std::map<std::pair<SourceId, std::uint32_t>, FlameTrack> tracks;
    LanePicture picture;
    for (const store::Lane* lane : lanes) {
        if (lane->spans().empty()) continue;
        const SourceId source = lane->channel().source;
        picture_lane(*lane, view, known_until(*lane), picture);
        flame.rough |= picture.rough;
        for (const SpanBar& bar : picture.bars) tracks[{source, bar.thread}].bars.push_back(bar_of(*lane, bar));
        for (const SpanSliver& sliver : picture.slivers) {
            if (sliver.end_tick > 0) tracks[{source, sliver.thread}].bars.push_back(bar_of(*lane, sliver));
        }
    }
    for (auto& [key, track] : tracks) {
        std::tie(track.source, track.thread) = key;
        nest(track);
        flame.tracks.push_back(std::move(track));
    }
    return flame;
}

}  // namespace sla::timeline
