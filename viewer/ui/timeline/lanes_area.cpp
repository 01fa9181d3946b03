#include "viewer/ui/timeline/lanes_area.h"

#include "viewer/timeline/readable.h"
#include "viewer/ui/timeline/lane_painter.h"
#include "viewer/ui/timeline/lanes_overlay.h"
#include "viewer/ui/timeline/ruler_strip.h"
#include "viewer/ui/timeline/unfetched.h"
#include "viewer/ui/widgets/paint.h"
#include "viewer/ui/widgets/visible_lanes.h"
#include "viewer/workspace/document.h"

#include <fmt/format.h>

#include <algorithm>

namespace sla::ui {

namespace {

constexpr std::size_t kMaxOverlaid = 15;  // other shots below the one that is looked at

void draw_row_background(Context& context, const VisibleRow& visible) {
    const Rect& area = context.layout.lanes;
    const Rect strip{area.x, visible.y, area.width, visible.height};
    if (visible.row->lane == nullptr) {
        fill(context.list, strip, mixed(context.theme.background, context.theme.panel, 0.7F));
    } else if (visible.row->lane == context.marks.focus) {
        fill(context.list, strip, faded(context.theme.accent, 0.05F));
    }
    line_below(context.list, strip, context.theme.grid, context.hair());
}

bool has_finite(const timeline::LanePicture& picture) {
    return std::any_of(picture.values.begin(), picture.values.end(),
                       [](const timeline::ValueStep& step) { return step.max >= step.min; });
}

// One scale for all shots: what differs in height then differs in value.
ValueExtent common_extent(const timeline::LanePicture& own, const std::vector<const timeline::LanePicture*>& others) {
    ValueExtent common = values_of(own);
    bool any = has_finite(own);
    for (const timeline::LanePicture* other : others) {
        const ValueExtent values = values_of(*other);
        common.has_above |= values.has_above;
        common.has_below |= values.has_below;
        if (!has_finite(*other)) continue;
        common.least = any ? std::min(common.least, values.least) : values.least;
        common.greatest = any ? std::max(common.greatest, values.greatest) : values.greatest;
        any = true;
    }
    return common;
}

}  // namespace

void LanesArea::report_rough(Context& context) const {
    if (!pictures_.is_rough()) return;
    std::string words = "drawn from sums: these rows are on disk; zoom in for exact ones";
    if (pictures_.is_refining()) {
        words = fmt::format("drawn from sums; being made exact: {:.0f} %", pictures_.refined() * 100);
    }
    const Rect& area = context.layout.lanes;
    const float width = text_width(context.fonts.small, words);
    const Rect note{area.right() - context.px(12) - width, area.y, width, context.px(18)};
    context.list.AddRectFilled({note.x - context.px(6), note.y}, {note.right() + context.px(6), note.y + note.height},
                               context.theme.panel);
    draw_text(context.list, context.fonts.small, note, context.theme.dim, words, Align::kRight);
}

std::vector<const timeline::LanePicture*> LanesArea::other_shots(Context& context, const store::Lane& lane) {
    std::vector<const timeline::LanePicture*> pictures;
    const auto& shots = context.session.shots();
    const auto looked_at = context.document.shown_shot();
    if (!context.document.overlay || !looked_at) return pictures;
    const std::size_t shown = *looked_at;
    std::vector<std::size_t> others;
    for (std::size_t away = 1; away < shots.size() && others.size() < kMaxOverlaid; ++away) {
        for (const std::size_t shot :
             {shown - away, shown + away}) {  // below the first is a great number, as behind the last
            if (shot < shots.size() && shots[shot].trigger == shots[shown].trigger) others.push_back(shot);
        }
    }
    for (std::size_t n = 0; n < others.size(); ++n) {
        const auto away = static_cast<std::int64_t>(shots[others[n]].tick - shots[shown].tick);
        pictures.push_back(&pictures_.of(context, lane, n + 1, context.port_of(lane).shifted(away)));
    }
    return pictures;
}

void LanesArea::draw_other_shots(Context& context, const LanePaint& shown,
                                 const std::vector<const timeline::LanePicture*>& others) {
    for (std::size_t n = others.size(); n-- > 0;) {
        const float strength = 0.45F * (1.0F - static_cast<float>(n) / static_cast<float>(others.size() + 1)) + 0.08F;
        paint_lane(context, {shown.lane, *others[n], shown.place, faded(shown.colour, strength), shown.values, false});
    }
}

ValueExtent LanesArea::values_shown(const store::Lane& lane) const {
    const auto common = common_.find(&lane);
    if (common != common_.end()) return common->second;
    const timeline::LanePicture* own = picture(lane);
    return own == nullptr || own->values.empty() ? ValueExtent() : values_of(*own);
}

void LanesArea::draw_lane(Context& context, const VisibleRow& visible) {
    const store::Lane& lane = *visible.row->lane;
    const Rect& area = context.layout.lanes;
    const Rect strip{area.x, visible.y, area.width, visible.height};
    const Clip clip(context.list, row_clip(context, visible, area));
    const timeline::LanePicture& own = pictures_.of(context, lane, 0, context.port_of(lane));
    const std::vector<const timeline::LanePicture*> others = other_shots(context, lane);
    ImU32 colour = context.theme.lane(visible.row->hue);
    if (visible.row->hidden) colour = faded(colour, 0.4F);
    LanePaint paint{lane, own, strip, colour};
    common_.erase(&lane);
    if (!others.empty()) {
        paint.values = common_extent(own, others);
        if (paint.values.has_length()) common_[&lane] = paint.values;
        draw_other_shots(context, paint, others);
    }
    switch (timeline::look_of(lane, context.tree.style_of(lane))) {
        case timeline::LaneLook::kAuto:
        case timeline::LaneLook::kMarks: paint_lane(context, paint); break;
        case timeline::LaneLook::kRate: paint_rate(context, paint); break;
        case timeline::LaneLook::kState: paint_states(context, paint); break;
    }
    draw_unfetched(context, lane, strip);
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
    report_rough(context);
    draw_causes(context, rows);
    draw_over_lanes(context, rows);
    const store::Lane* under = lane_at(context, ImGui::GetIO().MousePos.y);
    if (!describe_unfetched(context, under)) describe_gap(context, under, under == nullptr ? nullptr : picture(*under));
}

}  // namespace sla::ui
