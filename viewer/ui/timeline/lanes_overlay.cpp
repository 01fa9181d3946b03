#include "viewer/ui/timeline/lanes_overlay.h"

#include "viewer/timeline/readable.h"
#include "viewer/ui/commands/keymap.h"
#include "viewer/ui/timeline/hit_marks.h"
#include "viewer/ui/widgets/paint.h"
#include "viewer/ui/widgets/widgets.h"
#include "viewer/workspace/document.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace sla::ui {

namespace {

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
    const timeline::CursorPair& cursors = context.marks.cursors;
    if (!cursors.a || !cursors.b) return;
    const Rect& area = context.layout.lanes;
    const timeline::Viewport& port = context.view.port();
    const auto [first, last] = std::minmax(cursors.a->tick, cursors.b->tick);
    const float x0 = std::max(area.x, std::floor(area.x + static_cast<float>(port.x_of(first))));
    const float x1 = std::min(area.right(), std::floor(area.x + static_cast<float>(port.x_of(last))));
    fill(context.list, {x0, area.y, x1 - x0, area.height}, faded(context.theme.accent, 0.06F));
}

void draw_selection(Context& context, const std::vector<VisibleRow>& rows) {
    if (!context.marks.selection) return;
    const Selection& selection = *context.marks.selection;
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
    const Annotations& notes = context.marks.annotations;
    for (const KeptRange& range : notes.ranges) {
        line(range.from, faded(context.theme.text, 0.3F), false);
        line(range.to, faded(context.theme.text, 0.3F), false);
    }
    for (const Marker& marker : notes.markers) line(marker.tick, faded(context.theme.text, 0.55F), false);
    if (context.document.overlay) {
        if (notes.zero) line(*notes.zero, context.theme.trigger, true);
        return;
    }
    const auto& shots = context.session.shots();
    const timeline::TickRange seen = port.visible();
    float last_x = -10;
    for (auto shot = context.session.first_shot_from(seen.first); shot != shots.end() && shot->tick <= seen.last; ++shot) {
        const auto x = static_cast<float>(port.x_of(shot->tick));
        if (x < last_x + 3) continue;
        last_x = x;
        line(shot->tick, context.theme.trigger, true);
    }
    if (notes.zero) line(*notes.zero, context.theme.trigger, true);
}

void draw_lane_cursors(Context& context) {
    draw_between(context);
    const Rect& area = context.layout.lanes;
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    if (context.mouse_in_lanes()) {
        draw_vertical(context.list, std::floor(mouse.x), area.y, area.bottom(), faded(context.theme.text, 0.18F),
                      context.hair());
    }
    if (context.marks.cursors.a) draw_cursor_line(context, *context.marks.cursors.a, context.theme.cursor_a);
    if (context.marks.cursors.b) draw_cursor_line(context, *context.marks.cursors.b, context.theme.cursor_b);
}

// Where the axis has a break: a pale band with torn edges, and how much was taken out.
void draw_breaks(Context& context) {
    const timeline::Viewport& port = context.view.port();
    if (port.folds() == nullptr) return;
    const Rect& area = context.layout.lanes;
    const float half = context.px(3);
    const float tooth = context.px(5);
    for (const timeline::TickRange& fold : port.folds()->intervals()) {
        const auto x = std::floor(area.x + static_cast<float>(port.x_of(fold.first)));
        if (x < area.x - half || x > area.right() + half) continue;
        fill(context.list, {x - half, area.y, half * 2, area.height}, context.theme.panel);
        for (const float side : {-half, half}) {
            float lean = context.px(4);
            const auto teeth = static_cast<int>(std::ceil(area.height / tooth));
            for (int i = 0; i < teeth; ++i, lean = -lean) {
                const float y = area.y + static_cast<float>(i) * tooth;
                context.list.AddLine({x + side - lean / 2, y}, {x + side + lean / 2, y + tooth}, context.theme.dim,
                                     context.hair());
            }
        }
        const ImVec2 mouse = ImGui::GetIO().MousePos;
        if (std::abs(mouse.x - x) > half * 2 || !is_mouse_over(area) || ImGui::IsMouseDown(0)) continue;
        const std::int64_t ps = context.session.clock().ticks_to_ps(static_cast<std::int64_t>(fold.length()));
        tooltip(context, timeline::readable_delta(ps) +
                             context.keys.with_keys(" without an event, folded away; to unfold  ({unfold-idle})"));
    }
}

std::string losses_seen(const Context& context, const store::Lane& lane, const timeline::GapBand& band) {
    const std::string& name = context.tree.title_of(lane);
    const std::string cause = lane.text(band.index);
    const store::Gap* const gap = lane.gap_at(band.index);
    if (band.lost == 0 && gap != nullptr && !gap->is_uncounted()) return fmt::format("{} on {}, on purpose", cause, name);
    if (band.not_kept) {
        const std::string count = band.lost == 0 ? "an unknown number of" : timeline::grouped(band.lost);
        return fmt::format(
            "{} events of {} are from before this was read, and the agent's memory had given them up: not kept", count,
            name);
    }
    if (band.lost == 0) return fmt::format("events may be missing on {}, nobody counted them ({})", name, cause);
    const std::string losses = band.gaps == 1 ? "one loss" : fmt::format("{} losses", timeline::grouped(band.gaps));
    const char* more = timeline::is_counted(lane, band) ? "" : " and an unknown number more";
    return fmt::format("{} {}{} lost on {} ({}: {})", timeline::grouped(band.lost), band.lost == 1 ? "event" : "events",
                       more, name, losses, cause);
}

}  // namespace

void describe_gap(Context& context, const store::Lane* lane, const timeline::LanePicture* picture) {
    if (lane == nullptr || picture == nullptr || !is_mouse_over(context.layout.lanes)) return;
    if (ImGui::IsMouseDown(0)) return;
    const auto x = static_cast<float>(context.lanes_x(ImGui::GetIO().MousePos.x));
    for (const timeline::GapBand& band : picture->gaps) {
        if (x < band.x0 - 1 || x > std::max(band.x1, band.x0 + context.px(4))) continue;
        tooltip(context, losses_seen(context, *lane, band));
        return;
    }
}

void draw_over_lanes(Context& context, const std::vector<VisibleRow>& rows) {
    draw_hits(context, rows);
    draw_breaks(context);
    draw_selection(context, rows);
    draw_noted(context);
    draw_lane_cursors(context);
}

}  // namespace sla::ui
