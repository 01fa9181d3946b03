#include "viewer/ui/lanes_area.h"

#include "viewer/timeline/readable.h"
#include "viewer/ui/lane_painter.h"
#include "viewer/ui/paint.h"
#include "viewer/ui/ruler_strip.h"
#include "viewer/ui/visible_lanes.h"
#include "viewer/ui/widgets.h"

#include <fmt/format.h>

#include <algorithm>

namespace sla::ui {

namespace {

constexpr std::uint64_t kForgetFrames = 240;

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
    const auto x = std::floor(area.x + static_cast<float>(context.view.port().x_of(selection.tick)));
    for (const VisibleRow& visible : rows) {
        if (visible.row->lane != selection.lane) continue;
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

}  // namespace

const timeline::LanePicture& LanesArea::picture_of(const Context& context, const store::Lane& lane) {
    Kept& kept = kept_[&lane];
    kept.frame = frame_;
    const std::uint64_t now = context.view.now();
    const std::uint64_t pages = context.session.pages_revision();
    if ((kept.picture.rough && kept.pages != pages) || kept.size != lane.size() || kept.now != now ||
        !(kept.port == context.view.port())) {
        kept.size = lane.size();
        kept.pages = pages;
        kept.now = now;
        kept.port = context.view.port();
        timeline::picture_lane(lane, kept.port, now, kept.picture);
    }
    if (kept.picture.rough && refiner_ != nullptr) {
        if (const auto exact = refiner_->picture(lane.channel().id)) kept.picture = *exact;
    }
    return kept.picture;
}

// Whatever is rough and rests is made exact behind the scenes.
void LanesArea::refine(const Context& context, const std::vector<VisibleRow>& rows) {
    std::vector<ChannelId> lanes;
    rough_ = false;
    for (const VisibleRow& visible : rows) {
        if (visible.row->lane == nullptr) continue;
        lanes.push_back(visible.row->lane->channel().id);
        rough_ = rough_ || kept_[visible.row->lane].picture.rough;
    }
    if (!rough_) return;
    if (refiner_ == nullptr) {
        const Feed::Fill another = context.feed.another();
        if (!another) return;
        refiner_ = std::make_unique<timeline::Refiner>(another);
    }
    refiner_->want(context.view.port(), context.view.now(), lanes);
}

const timeline::LanePicture* LanesArea::picture(const store::Lane& lane) const {
    const auto found = kept_.find(&lane);
    return found == kept_.end() || found->second.frame != frame_ ? nullptr : &found->second.picture;
}

void LanesArea::draw(Context& context) {
    ++frame_;
    const Rect& area = context.layout.lanes;
    const timeline::Ruler ruler = ruler_of(context);
    draw_ruler(context, context.session.lanes().empty() ? timeline::Ruler{} : ruler);
    fill(context.list, area, context.theme.background);
    const Clip clip(context.list, area);
    const std::vector<VisibleRow> rows = visible_rows(context);
    for (const VisibleRow& visible : rows) draw_row_background(context, visible);
    if (context.session.lanes().empty()) {
        draw_empty_state(context);
        return;
    }
    for (const timeline::RulerMark& mark : ruler.marks) {
        if (mark.major)
            draw_vertical(context.list, area.x + static_cast<float>(mark.x), area.y, area.bottom(), context.theme.grid,
                          context.hair());
    }
    for (const VisibleRow& visible : rows) {
        if (visible.row->lane == nullptr) continue;
        const Rect strip{area.x, visible.y, area.width, visible.height};
        paint_lane(context, {*visible.row->lane, picture_of(context, *visible.row->lane), strip,
                             context.theme.lane(visible.row->hue)});
    }
    refine(context, rows);
    if (rough_) {
        const Rect note{area.right() - context.px(308), area.y, context.px(300), context.px(18)};
        draw_text(context.list, context.fonts.small, note, context.theme.dim,
                  fmt::format("drawn from sums; being made exact: {:.0f} %", refined() * 100), Align::kRight);
    }
    draw_selection(context, rows);
    draw_lane_cursors(context);
    const store::Lane* under = lane_at(context, ImGui::GetIO().MousePos.y);
    tell_gap(context, under, under == nullptr ? nullptr : picture(*under));
    std::erase_if(kept_, [&](const auto& entry) { return entry.second.frame + kForgetFrames < frame_; });
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

}  // namespace sla::ui
