#include "viewer/ui/timeline/hit_marks.h"

#include "viewer/ui/widgets/paint.h"
#include "viewer/workspace/document.h"

#include <cmath>

namespace sla::ui {

namespace {

// Hits of a lane that stand so close that their marks touch.
struct Crowd {
    float first = 0;
    float last = 0;
};

void draw_crowd(Context& context, const Crowd& crowd, float foot) {
    const float size = context.px(3.5F);
    const ImU32 colour = context.theme.hit;
    if (crowd.last > crowd.first) {
        fill(context.list, {crowd.first - size, foot - size, crowd.last - crowd.first + 2 * size + 1, size}, colour);
        return;
    }
    context.list.AddTriangleFilled({crowd.first - size, foot}, {crowd.first + size + 1, foot},
                                   {crowd.first + 0.5F, foot - size * 1.6F}, colour);
}

void draw_hits_of(Context& context, const store::Lane& lane, std::span<const std::uint32_t> positions, float foot) {
    const std::vector<Hit>& hits = context.document.search.hits();
    const timeline::Viewport port = context.port_of(lane);
    const double touching = context.px(7);
    std::optional<Crowd> crowd;
    // From one to the next at least a pixel on.
    for (std::size_t at = next_of(positions, hits, 0, port.first_tick_from(-touching)); at < positions.size();) {
        const double exact = port.x_of(hits[positions[at]].tick);
        if (exact > port.width() + touching) break;
        const float x = std::floor(context.layout.lanes.x + static_cast<float>(exact));
        if (crowd && x - crowd->last > static_cast<float>(touching)) {
            draw_crowd(context, *crowd, foot);
            crowd.reset();
        }
        if (!crowd) crowd = Crowd{x, x};
        crowd->last = x;
        at = std::max(at + 1, next_of(positions, hits, at, port.first_tick_from(exact + 1)));
    }
    if (crowd) draw_crowd(context, *crowd, foot);
}

void draw_places(Context& context, std::span<const std::uint32_t> positions) {
    const std::vector<Hit>& hits = context.document.search.hits();
    const Rect& area = context.layout.lanes;
    const timeline::Viewport& port = context.view.port();
    const double apart = context.px(9);  // where lines stand closer, they would hide the lanes
    double last = -2 * apart;
    for (std::size_t at = next_of(positions, hits, 0, port.visible().first); at < positions.size();) {
        const Hit& hit = hits[positions[at]];
        const double exact = port.x_of(hit.tick);
        if (exact > port.width()) break;
        const std::size_t next = std::max(at + 1, next_of(positions, hits, at, port.first_tick_from(exact + 1)));
        const bool is_alone =
            exact - last > apart && (next == positions.size() || port.x_of(hits[positions[next]].tick) - exact > apart);
        const float x = std::floor(area.x + static_cast<float>(exact));
        const ImU32 colour = hit.certain ? context.theme.hit : faded(context.theme.hit, 0.5F);
        const float size = context.px(4);
        if (is_alone) {
            draw_vertical(context.list, x, area.y, area.bottom(), faded(colour, 0.35F), context.hair());
            context.list.AddTriangleFilled({x - size, area.y}, {x + size, area.y}, {x, area.y + size * 1.5F}, colour);
        } else {
            fill(context.list, {x - size, area.y, 2 * size + 1, size}, colour);
        }
        last = exact;
        at = next;
    }
}

}  // namespace

void draw_hits(Context& context, const std::vector<VisibleRow>& rows) {
    if (context.document.search.hits().empty()) return;
    const HitsByLane& by_lane = context.document.search.by_lane();
    const Rect& area = context.layout.lanes;
    draw_places(context, by_lane.of(nullptr));
    for (const VisibleRow& visible : rows) {
        const store::Lane* lane = visible.row->lane;
        if (lane == nullptr) continue;
        const std::span<const std::uint32_t> positions = by_lane.of(lane);
        if (positions.empty()) continue;
        const Clip clip(context.list, row_clip(context, visible, area));
        draw_hits_of(context, *lane, positions, visible.y + visible.height - context.hair());
    }
}

}  // namespace sla::ui
