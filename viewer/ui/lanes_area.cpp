#include "viewer/ui/lanes_area.h"

#include "viewer/timeline/readable.h"
#include "viewer/ui/lane_painter.h"
#include "viewer/ui/paint.h"
#include "viewer/ui/ruler_strip.h"
#include "viewer/ui/visible_lanes.h"

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

// What lies between the cursors: tinted, with the Δ in a tag near the bottom.
void draw_between(Context& context) {
    const auto measured = timeline::measure(context.view.cursors, context.session.clock());
    if (!measured) return;
    const Rect& area = context.layout.lanes;
    const timeline::Viewport& port = context.view.port();
    const auto [first, last] = std::minmax(context.view.cursors.a->tick, context.view.cursors.b->tick);
    const float x0 = std::max(area.x, std::floor(area.x + static_cast<float>(port.x_of(first))));
    const float x1 = std::min(area.right(), std::floor(area.x + static_cast<float>(port.x_of(last))));
    if (x1 <= x0) return;
    fill(context.list, {x0, area.y, x1 - x0, area.height}, faded(context.theme.accent, 0.06F));
    const ImFont* font = context.fonts.number;
    const std::string text = "\xCE\x94 " + timeline::readable_delta(measured->ps);
    const float width = text_width(font, text) + context.px(12);
    if (x1 - x0 < width + context.px(8)) return;
    const float height = context.px(20);
    const Rect tag{std::floor((x0 + x1 - width) / 2), area.bottom() - height - context.px(6), width, height};
    const float middle = tag.y + height / 2;
    context.list.AddLine({x0, middle}, {tag.x, middle}, faded(context.theme.dim, 0.7F), context.hair());
    context.list.AddLine({tag.right(), middle}, {x1, middle}, faded(context.theme.dim, 0.7F), context.hair());
    fill(context.list, tag, context.theme.raised, context.px(4));
    draw_quantity(context.list, font, tag.inset(context.px(6), 0), context.theme.text, context.theme.dim, text);
}

void draw_selection(Context& context, const std::vector<VisibleRow>& rows) {
    if (!context.view.selection) return;
    const Selection& selection = *context.view.selection;
    const Rect& area = context.layout.lanes;
    const auto x = std::floor(area.x + static_cast<float>(context.view.port().x_of(selection.tick)));
    for (const VisibleRow& visible : rows) {
        if (visible.row->lane != selection.lane) continue;
        const float half = context.px(4);
        context.list.AddRect({x - half, visible.y + context.px(2)}, {x + half + 1, visible.y + visible.height - context.px(2)},
                             context.theme.accent, context.px(3), 0, context.hair() * 1.5F);
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

}  // namespace

const timeline::LanePicture& LanesArea::picture_of(const Context& context, const store::Lane& lane) {
    Kept& kept = kept_[&lane];
    kept.frame = frame_;
    const std::uint64_t now = context.view.now();
    if (kept.size != lane.size() || kept.now != now || !(kept.port == context.view.port())) {
        kept.size = lane.size();
        kept.now = now;
        kept.port = context.view.port();
        timeline::picture_lane(lane, kept.port, now, kept.picture);
    }
    return kept.picture;
}

void LanesArea::draw(Context& context) {
    ++frame_;
    const Rect& area = context.layout.lanes;
    const timeline::Ruler ruler = ruler_of(context);
    draw_ruler(context, ruler);
    fill(context.list, area, context.theme.background);
    const Clip clip(context.list, area);
    const std::vector<VisibleRow> rows = visible_rows(context);
    for (const VisibleRow& visible : rows) draw_row_background(context, visible);
    if (context.session.lanes().empty()) {
        draw_empty_state(context);
        return;
    }
    for (const timeline::RulerMark& mark : ruler.marks) {
        if (mark.major) draw_vertical(context.list, area.x + static_cast<float>(mark.x), area.y, area.bottom(), context.theme.grid, context.hair());
    }
    for (const VisibleRow& visible : rows) {
        if (visible.row->lane == nullptr) continue;
        const Rect strip{area.x, visible.y, area.width, visible.height};
        paint_lane(context, {*visible.row->lane, picture_of(context, *visible.row->lane), strip, context.theme.lane(visible.row->hue)});
    }
    draw_selection(context, rows);
    draw_lane_cursors(context);
    std::erase_if(kept_, [&](const auto& entry) { return entry.second.frame + kForgetFrames < frame_; });
}

void draw_lane_cursors(Context& context) {
    draw_between(context);
    const Rect& area = context.layout.lanes;
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    if (context.mouse_in_lanes()) {
        draw_vertical(context.list, std::floor(mouse.x), area.y, area.bottom(), faded(context.theme.text, 0.18F), context.hair());
    }
    if (context.view.cursors.a) draw_cursor_line(context, *context.view.cursors.a, context.theme.cursor_a);
    if (context.view.cursors.b) draw_cursor_line(context, *context.view.cursors.b, context.theme.cursor_b);
}

}  // namespace sla::ui
