#include "viewer/timeline/flame.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <tuple>
#include <utility>

namespace sla::timeline {

namespace {

constexpr std::size_t kMaxFlameRows = 32;

FlameBar bar_of(const FlameLane& of, const SpanBar& bar) {
    return {bar.x0, bar.x1, 0, 1, of.lane, bar.begin_index, bar.begin_tick, bar.end_tick, of.offset_ticks, bar.state};
}

FlameBar bar_of(const FlameLane& of, const SpanSliver& sliver) {
    return {sliver.x,
            sliver.x + 1,
            0,
            sliver.count,
            of.lane,
            sliver.begin_index,
            sliver.begin_tick,
            sliver.end_tick,
            of.offset_ticks,
            store::SpanState::kClosed};
}

// As drawn, which may be before the first tick.
std::int64_t begin_of(const FlameBar& bar) {
    return static_cast<std::int64_t>(bar.begin_tick) + bar.offset_ticks;
}
std::int64_t end_of(const FlameBar& bar) {
    constexpr std::int64_t kOpen = std::numeric_limits<std::int64_t>::max();
    return bar.end_tick == store::kNever ? kOpen : static_cast<std::int64_t>(bar.end_tick) + bar.offset_ticks;
}

bool begins_before(const FlameBar& a, const FlameBar& b) {
    if (begin_of(a) != begin_of(b)) return begin_of(a) < begin_of(b);
    return end_of(a) > end_of(b);
}

// Below all that it lies within, in the first row that is free. What begins within a span of its own thread and ends after it
// has another row, too: they overlap, and neither hides the other.
void nest(FlameTrack& track) {
    std::sort(track.bars.begin(), track.bars.end(), begins_before);
    std::array<std::int64_t, kMaxFlameRows> ends;  // of each row's newest
    ends.fill(std::numeric_limits<std::int64_t>::min());
    for (FlameBar& bar : track.bars) {
        std::size_t row = 0;
        std::size_t free = kMaxFlameRows;  // the lowest one behind the deepest that it lies within
        for (; row < track.rows; ++row) {
            const bool is_open = ends[row] > begin_of(bar);
            if (is_open && ends[row] >= end_of(bar)) free = kMaxFlameRows;
            if (!is_open) free = std::min(free, row);
        }
        row = std::min({free, row, kMaxFlameRows - 1});
        bar.row = static_cast<std::uint16_t>(row);
        track.rows = std::max<std::uint16_t>(track.rows, static_cast<std::uint16_t>(row + 1));
        ends[row] = std::max(ends[row], end_of(bar));
    }
}

}  // namespace

Flame make_flame(std::span<const FlameLane> lanes, const Viewport& view) {
    Flame flame;
    std::map<std::pair<SourceId, std::uint32_t>, FlameTrack> tracks;
    LanePicture picture;
    for (const FlameLane& of : lanes) {
        const SourceId source = of.lane->channel().source;
        picture_lane(*of.lane, view.shifted(-of.offset_ticks), of.known_until, picture);
        flame.rough |= picture.rough;
        for (const SpanBar& bar : picture.bars) tracks[{source, bar.thread}].bars.push_back(bar_of(of, bar));
        for (const SpanSliver& sliver : picture.slivers) {
            if (sliver.end_tick > 0) tracks[{source, sliver.thread}].bars.push_back(bar_of(of, sliver));
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
