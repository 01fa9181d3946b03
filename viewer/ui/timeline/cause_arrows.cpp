// Cause links: an arrow from each event of a lane to the next event of another lane that carries the same value.
#include "viewer/ui/timeline/lane_painter.h"
#include "viewer/ui/widgets/paint.h"
#include "viewer/ui/widgets/visible_lanes.h"

#include <fmt/format.h>

#include <algorithm>

namespace sla::ui {

namespace {

constexpr std::uint64_t kMaxArrows = 400;     // more are a carpet that says nothing
constexpr float kClearArrows = 60;            // of more each is fainter, so that the lanes below stay in sight
constexpr std::uint64_t kMaxLookedAt = 4096;  // events of the other lane behind each one

bool has_value(const store::Event& event) {
    return event.kind() != wire::Kind::kGap && wire::value_type_of(event.code) != wire::ValueType::kNone;
}

// The first event of `lane` at or after `tick` with that value, not beyond a loss: what was lost may have been it.
std::optional<std::uint64_t> effect_of(const store::Lane& lane, std::uint64_t tick, std::uint64_t value) {
    if (!lane.is_here(tick, tick)) return std::nullopt;
    const std::uint64_t begin = lane.lower_bound(tick);
    const std::uint64_t end = std::min(lane.size(), begin + kMaxLookedAt);
    for (std::uint64_t i = begin; i < end && lane.is_row_here(i); ++i) {
        const store::Event event = lane[i];
        if (event.kind() == wire::Kind::kGap) return std::nullopt;
        if (has_value(event) && event.value == value) return i;
    }
    return std::nullopt;
}

const VisibleRow* row_of(const std::vector<VisibleRow>& rows, const store::Lane* lane) {
    if (lane == nullptr) return nullptr;
    for (const VisibleRow& row : rows) {
        if (row.row->lane == lane) return &row;
    }
    return nullptr;
}

void draw_arrow(Context& context, ImVec2 from, ImVec2 to, ImU32 colour) {
    const float bend = std::max(context.px(8), std::abs(to.x - from.x) * 0.4F);
    context.list.AddBezierCubic(from, {from.x + bend, from.y}, {to.x - bend, to.y}, to, colour, context.hair() * 1.25F);
    const float size = context.px(4);
    context.list.AddTriangleFilled(to, {to.x - size * 1.6F, to.y - size}, {to.x - size * 1.6F, to.y + size}, colour);
}

// In the place of a carpet, at the right end of the lane that the arrows would come from.
void say_too_many(Context& context, const VisibleRow& from_row, const VisibleRow& to_row) {
    const Rect& area = context.layout.lanes;
    const std::string words = fmt::format("arrows to {}: zoom in", context.tree.title_of(*to_row.row->lane));
    const ImFont* font = context.fonts.tiny;
    const float width = text_width(font, words) + context.px(10);
    const float height = font->FontSize + context.px(4);
    const Rect place{area.right() - width - context.px(14), std::floor(from_row.y + (from_row.height - height) / 2), width,
                     height};
    fill(context.list, place, faded(context.theme.panel, 0.85F), context.px(3));
    draw_text(context.list, font, place, context.theme.text, words, Align::kCentre);
}

void draw_link(Context& context, const VisibleRow& from_row, const VisibleRow& to_row) {
    const store::Lane& from = *from_row.row->lane;
    const store::Lane& to = *to_row.row->lane;
    const Rect& area = context.layout.lanes;
    const timeline::Viewport from_port = context.port_of(from);
    const timeline::Viewport to_port = context.port_of(to);
    const timeline::TickRange seen = from_port.visible();
    // Causes a little left of the view have their effects in it.
    const std::uint64_t begin = seen.first - std::min(seen.first, seen.length() / 2);
    if (!from.is_here(begin, seen.last)) return say_too_many(context, from_row, to_row);
    const std::uint64_t first = from.lower_bound(begin);
    const std::uint64_t last = from.upper_bound(seen.last);
    if (last - first > kMaxArrows) return say_too_many(context, from_row, to_row);
    const float strength = 0.8F * std::min(1.0F, kClearArrows / static_cast<float>(last - first + 1));
    const ImU32 colour = faded(context.theme.lane(from_row.row->hue), std::max(strength, 0.15F));
    for (std::uint64_t i = first; i < last; ++i) {
        const store::Event cause = from[i];
        if (!has_value(cause)) continue;
        const auto effect = effect_of(to, cause.tick, cause.value);
        if (!effect) continue;
        draw_arrow(context, {area.x + static_cast<float>(from_port.x_of(cause.tick)), from_row.y + from_row.height / 2},
                   {area.x + static_cast<float>(to_port.x_of(to.tick(*effect))), to_row.y + to_row.height / 2}, colour);
    }
}

}  // namespace

void draw_causes(Context& context, const std::vector<VisibleRow>& rows) {
    for (const timeline::CauseLink& link : context.tree.arrangement.links) {
        const VisibleRow* from = row_of(rows, context.tree.lane_of(link.from));
        const VisibleRow* to = row_of(rows, context.tree.lane_of(link.to));
        if (from != nullptr && to != nullptr) draw_link(context, *from, *to);
    }
}

}  // namespace sla::ui
