#include "viewer/ui/lanes_area.h"

#include "viewer/timeline/readable.h"
#include "viewer/ui/desk.h"
#include "viewer/ui/lane_painter.h"
#include "viewer/ui/paint.h"
#include "viewer/ui/ruler_strip.h"
#include "viewer/ui/visible_lanes.h"
#include "viewer/ui/widgets.h"

#include <fmt/format.h>

#include <algorithm>

namespace sla::ui {

namespace {

constexpr std::size_t kMostOverlaid = 15;  // shots below the one that is looked at

void draw_cursor_line(Context& context, const timeline::Cursor& cursor, ImU32 colour) {
    const Rect& area = context.layout.lanes;
    const auto x = std::floor(area.x + static_cast<float>(context.view.port().x_of(cursor.tick)));
    if (x < area.x - 1 || x > area.right() + 1) return;
    if (cursor.snapped) {
        draw_dashed_vertical(context.list, x, area.y, area.bottom(), colour, context.px(5), context.hair());
    } else {
        draw_vertical(context.list, x, area.y, area.bottom(), colour, context.hair());
    }
}

// What lies between the cursors is tinted; the ruler says how much it is.
void draw_between(Context& context) {
    const timeline::CursorPair& cursors = context.view.cursors;
    if (!cursors.a || !cursors.b) return;
    const Rect& area = context.layout.lanes;
    const timeline::Viewport& port = context.view.port();
    const auto [first, last] = std::minmax(cursors.a->tick, cursors.b->tick);
    const float x0 = std::max(area.x, std::floor(area.x + static_cast<float>(port.x_of(first))));
    const float x1 = std::min(area.right(), std::floor(area.x + static_cast<float>(port.x_of(last))));
    fill(context.list, {x0, area.y, x1 - x0, area.height}, faded(context.theme.accent, 0.06F));
}

void draw_selection(Context& context, const std::vector<VisibleRow>& rows) {
    if (!context.view.selection) return;
    const Selection& selection = *context.view.selection;
    const Rect& area = context.layout.lanes;
    if (selection.lane == nullptr) {  // a place in time
        const auto x = std::floor(area.x + static_cast<float>(context.view.port().x_of(selection.tick)));
        draw_vertical(context.list, x, area.y, area.bottom(), faded(context.theme.accent, 0.6F), context.hair());
        return;
    }
    const auto x = std::floor(area.x + static_cast<float>(context.port_of(*selection.lane).x_of(selection.tick)));
    for (const VisibleRow& visible : rows) {
        if (visible.row->lane != selection.lane) continue;
        const Clip clip(context.list, row_clip(context, visible, area));
        const float half = context.px(4);
        context.list.AddRect({x - half, visible.y + context.px(2)},
                             {x + half + 1, visible.y + visible.height - context.px(2)}, context.theme.accent, context.px(3),
                             0, context.hair() * 1.5F);
    }
}

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

// What was lost under the mouse, in words.
void tell_gap(Context& context, const store::Lane* lane, const timeline::LanePicture* picture) {
    if (lane == nullptr || picture == nullptr || !context.layout.lanes.contains(ImGui::GetIO().MousePos)) return;
    if (ImGui::IsMouseDown(0)) return;
    const auto x = static_cast<float>(context.lanes_x(ImGui::GetIO().MousePos.x));
    for (const timeline::GapBand& band : picture->gaps) {
        if (x < band.x0 - 1 || x > std::max(band.x1, band.x0 + context.px(4))) continue;
        const std::string losses = band.gaps == 1 ? "one loss" : fmt::format("{} losses", timeline::grouped(band.gaps));
        tooltip(context, fmt::format("{} events lost on {} ({}: {})", timeline::grouped(band.lost), lane->channel().name,
                                     losses, lane->text(band.index)));
        return;
    }
}

// Markers, kept ranges, t = 0 and shots, as lines over all lanes.
void draw_noted(Context& context) {
    const Rect& area = context.layout.lanes;
    const timeline::Viewport& port = context.view.port();
    const auto line = [&](std::uint64_t tick, ImU32 colour, bool dashed) {
        const auto x = std::floor(area.x + static_cast<float>(port.x_of(tick)));
        if (x < area.x - 1 || x > area.right() + 1) return;
        if (dashed) {
            draw_dashed_vertical(context.list, x, area.y, area.bottom(), colour, context.px(4), context.hair());
        } else {
            draw_vertical(context.list, x, area.y, area.bottom(), colour, context.hair());
        }
    };
    const Notes& notes = context.view.notes;
    for (const KeptRange& range : notes.ranges) {
        line(range.from, faded(context.theme.text, 0.3F), false);
        line(range.to, faded(context.theme.text, 0.3F), false);
    }
    for (const Marker& marker : notes.markers) line(marker.tick, faded(context.theme.text, 0.55F), false);
    if (context.desk.overlay) {
        if (notes.zero) line(*notes.zero, context.theme.trigger, true);
        return;
    }
    const auto& shots = context.session.shots();
    const timeline::TickRange seen = port.visible();
    const auto first = std::lower_bound(shots.begin(), shots.end(), seen.first,
                                        [](const store::Shot& shot, std::uint64_t tick) { return shot.tick < tick; });
    float last_x = -10;
    for (auto shot = first; shot != shots.end() && shot->tick <= seen.last; ++shot) {
        const auto x = static_cast<float>(port.x_of(shot->tick));
        if (x < last_x + 3) continue;
        last_x = x;
        line(shot->tick, context.theme.trigger, true);
    }
    if (notes.zero) line(*notes.zero, context.theme.trigger, true);
}

// Every hit of the search: a mark at the foot of its lane; a trigger's over all lanes. One a pixel is enough.
void draw_hits(Context& context, const std::vector<VisibleRow>& rows) {
    const Search& search = context.desk.search;
    if (search.hits().empty()) return;
    const Rect& area = context.layout.lanes;
    const timeline::Viewport& port = context.view.port();
    std::map<const store::Lane*, float> taken;
    const auto from = search.next(port.visible().first);
    if (!from) return;
    for (std::size_t i = *from; i < search.hits().size();) {
        const Hit& hit = search.hits()[i];
        const double at = port.x_of(hit.tick);
        if (at > port.width()) break;
        const float x = std::floor(area.x + static_cast<float>(at));
        const ImU32 colour = hit.certain ? context.theme.hit : faded(context.theme.hit, 0.5F);
        if (hit.lane == nullptr) {
            draw_vertical(context.list, x, area.y, area.bottom(), faded(colour, 0.35F), context.hair());
            const float size = context.px(4);
            context.list.AddTriangleFilled({x - size, area.y}, {x + size, area.y}, {x, area.y + size * 1.5F}, colour);
            const auto next = search.next(port.first_tick_from(at + 1));  // the next pixel
            if (!next) break;
            i = std::max(*next, i + 1);
            continue;
        }
        auto [entry, first] = taken.try_emplace(hit.lane, -10.0F);
        if (x >= entry->second + context.px(3)) {
            entry->second = x;
            for (const VisibleRow& visible : rows) {
                if (visible.row->lane != hit.lane) continue;
                const auto own = std::floor(area.x + static_cast<float>(context.port_of(*hit.lane).x_of(hit.tick)));
                const float size = context.px(3.5F);
                const float foot = visible.y + visible.height - context.hair();
                context.list.AddTriangleFilled({own - size, foot}, {own + size + 1, foot}, {own + 0.5F, foot - size * 1.6F},
                                               colour);
            }
        }
        const bool dense = i - *from > 20'000;  // more than a picture can show: go on by pixels
        const auto next = dense ? search.next(port.first_tick_from(at + 1)) : std::optional(i + 1);
        if (!next) break;
        i = std::max(*next, i + 1);
    }
}

void draw_lane_cursors(Context& context) {
    draw_between(context);
    const Rect& area = context.layout.lanes;
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    if (context.mouse_in_lanes()) {
        draw_vertical(context.list, std::floor(mouse.x), area.y, area.bottom(), faded(context.theme.text, 0.18F),
                      context.hair());
    }
    if (context.view.cursors.a) draw_cursor_line(context, *context.view.cursors.a, context.theme.cursor_a);
    if (context.view.cursors.b) draw_cursor_line(context, *context.view.cursors.b, context.theme.cursor_b);
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
        paint_lane(context, {lane, picture, strip, faded(context.theme.lane(visible.row->hue), strength)});
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
    draw_hits(context, rows);
    draw_selection(context, rows);
    draw_noted(context);
    draw_lane_cursors(context);
    const store::Lane* under = lane_at(context, ImGui::GetIO().MousePos.y);
    tell_gap(context, under, under == nullptr ? nullptr : picture(*under));
}

}  // namespace sla::ui
