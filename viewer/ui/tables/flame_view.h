// The tab with a track for each thread: the spans of all its channels nested, over the same time as the lanes above.
#pragma once

#include "viewer/timeline/flame.h"
#include "viewer/ui/widgets/context.h"

#include <cstdint>
#include <map>
#include <utility>

namespace sla::ui {

class FlameView {
public:
    // `strip`: where words about it stand, beside the tabs.
    void draw(Context& context, const Rect& place, const Rect& strip);
    [[nodiscard]] const timeline::Flame& flame() const { return flame_; }

private:
    void refresh(Context& context);
    float draw_track(Context& context, const timeline::FlameTrack& track, const Rect& area, float y, bool hovered);
    void draw_bar(Context& context, const timeline::FlameBar& bar, const Rect& place) const;

    timeline::Flame flame_;
    using Key = std::pair<SourceId, std::uint32_t>;
    static Key key_of(const timeline::FlameTrack& track) { return {track.source, track.thread}; }

    std::map<Key, std::uint16_t> rows_;  // the most seen so far: tracks do not jump
    std::uint64_t seen_events_ = 0;
    std::uint64_t seen_pages_ = 0;
    timeline::TickRange seen_range_;
    double seen_width_ = 0;
    std::uint64_t seen_lanes_ = 0;
    std::uint64_t seen_gone_ = 0;
    double refreshed_at_ = -1;
    float scroll_ = 0;
};

}  // namespace sla::ui
