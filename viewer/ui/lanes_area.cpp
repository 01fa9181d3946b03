#include "viewer/ui/lanes_area.h"

#include "viewer/timeline/readable.h"
#include "viewer/ui/desk.h"
#include "viewer/ui/lane_painter.h"
#include "viewer/ui/lanes_overlay.h"
#include "viewer/ui/paint.h"
#include "viewer/ui/ruler_strip.h"
#include "viewer/ui/visible_lanes.h"

#include <fmt/format.h>

#include <algorithm>

namespace sla::ui {

namespace {

constexpr std::size_t kMostOverlaid = 15;  // shots below the one that is looked at

void draw_row_background(Context& context, const VisibleRow& visible) {
    const Rect& area = context.layout.lanes;
    const Rect strip{area.x, visible.y, area.width, visible.height};
    if (visible.row->lane == nullptr) {
        fill(context.list, strip, mixed(context.theme.background, context.theme.panel, 0.7F));
    } else if (visible.row->lane == context.view.focus) {
        fill(context.list, strip, faded(context.theme.accent, 0.05F));
    }
    line_below(context.list, strip, context.theme.grid, context.hair());
}

}  // namespace

void LanesArea::tell_rough(Context& context) const {
    if (!pictures_.is_refining()) return;
    const Rect& area = context.layout.lanes;
    const Rect note{area.right() - context.px(308), area.y, context.px(300), context.px(18)};
    draw_text(context.list, context.fonts.small, note, context.theme.dim,
              fmt::format("drawn from sums; being made exact: {:.0f} %", pictures_.refined() * 100), Align::kRight);
}

void LanesArea::draw_earlier_shots(Context& context, const VisibleRow& visible, const Rect& strip) {
    const auto& shots = context.session.shots();
    const std::size_t shown = context.desk.shot;
    if (!context.desk.overlay || shown >= shots.size()) return;
    std::vector<std::size_t> earlier;  // the newest first
    for (std::size_t i = shown; i-- > 0 && earlier.size() < kMostOverlaid;) {
        if (shots[i].trigger == shots[shown].trigger) earlier.push_back(i);
    }
    const store::Lane& lane = *visible.row->lane;
    for (std::size_t n = earlier.size(); n-- > 0;) {
        const auto away = static_cast<std::int64_t>(shots[earlier[n]].tick - shots[shown].tick);
        const timeline::LanePicture& picture = pictures_.of(context, lane, n + 1, context.port_of(lane).shifted(away));
        const float strength = 0.45F * (1.0F - static_cast<float>(n) / static_cast<float>(earlier.size() + 1)) + 0.08F;
        paint_lane(context, {lane, picture, strip, faded(context.theme.lane(visible.row->hue), strength), false});
    }
}

void LanesArea::draw_lane(Context& context, const VisibleRow& visible) {
    const store::Lane& lane = *visible.row->lane;
    const Rect& area = context.layout.lanes;
    const Rect strip{area.x, visible.y, area.width, visible.height};
    const Clip clip(context.list, row_clip(context, visible, area));
    draw_earlier_shots(context, visible, strip);
    const timeline::LanePicture& picture = pictures_.of(context, lane, 0, context.port_of(lane));
    ImU32 colour = context.theme.lane(visible.row->hue);
    if (visible.row->hidden) colour = faded(colour, 0.4F);
    const LanePaint paint{lane, picture, strip, colour};
    switch (context.tree.style_of(lane).look) {
        case timeline::LaneLook::kAuto: paint_lane(context, paint); break;
        case timeline::LaneLook::kRate: paint_rate(context, paint); break;
        case timeline::LaneLook::kState: paint_states(context, paint); break;
    }
}

void LanesArea::draw(Context& context) {
    const Rect& area = context.layout.lanes;
    const timeline::Ruler ruler = ruler_of(context);
    draw_ruler(context, context.session.lanes().empty() ? timeline::Ruler{} : ruler);
    fill(context.list, area, context.theme.background);
    const Clip clip(context.list, area);
    if (context.session.lanes().empty()) {
        draw_empty_state(context);
        return;
    }
    const std::vector<VisibleRow> rows = visible_rows(context);
    pictures_.choose(context, rows);
    for (const VisibleRow& visible : rows) {
        const Clip own(context.list, row_clip(context, visible, area));
        draw_row_background(context, visible);
    }
    for (const timeline::RulerMark& mark : ruler.marks) {
        if (mark.major)
            draw_vertical(context.list, area.x + static_cast<float>(mark.x), area.y, area.bottom(), context.theme.grid,
                          context.hair());
    }
    for (const VisibleRow& visible : rows) {
        if (visible.row->lane != nullptr) draw_lane(context, visible);
    }
    if (context.tree.pinned_height() > 0) {
        fill(context.list, {area.x, pinned_bottom(context) - context.hair(), area.width, context.hair()}, context.theme.dim);
    }
    pictures_.finish(context, rows);
    tell_rough(context);
    draw_causes(context, rows);
    draw_over_lanes(context, rows);
    const store::Lane* under = lane_at(context, ImGui::GetIO().MousePos.y);
    tell_gap(context, under, under == nullptr ? nullptr : picture(*under));
}

}  // namespace sla::ui
