#include "viewer/ui/timeline/unfetched.h"

#include "viewer/timeline/readable.h"
#include "viewer/ui/widgets/paint.h"
#include "viewer/ui/widgets/widgets.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace sla::ui {

namespace {

// Where it ends, in pixels of the lanes; what the agent no longer holds is before, and is reported when this is fetched.
std::optional<float> end_of(const Context& context, const store::Lane& lane) {
    const std::optional<store::History> part = context.session.unfetched(lane);
    if (!part) return std::nullopt;
    const double x = std::min(context.port_of(lane).x_of(part->from_tick), static_cast<double>(context.layout.lanes.width));
    if (x <= 0) return std::nullopt;
    return static_cast<float>(std::floor(x));
}

}  // namespace

std::string unfetched_words(const Context& context) {
    if (context.status.fetched)
        return fmt::format("older history is being fetched: {:.0f} %", *context.status.fetched * 100);
    if (!context.session.history()) return "";
    return context.status.is_older_gone ? "older history was not fetched" : "older history not fetched yet";
}

void draw_unfetched(Context& context, const store::Lane& lane, const Rect& strip) {
    const std::optional<float> end = end_of(context, lane);
    if (!end) return;
    const Rect band{strip.x, strip.y, *end, strip.height - context.hair()};
    fill(context.list, band, faded(context.theme.accent, 0.07F));
    const float y = std::floor(band.y + band.height / 2);
    const float dash = context.px(3);
    for (float x = band.x + dash; x + dash < band.right(); x += dash * 4) {
        fill(context.list, {x, y, dash, context.hair()}, faded(context.theme.accent, 0.6F));
    }
    fill(context.list, {band.right(), band.y, context.hair(), band.height}, faded(context.theme.accent, 0.6F));
    const std::string words = unfetched_words(context);
    const float width = text_width(context.fonts.small, words) + context.px(8);
    if (width + context.px(8) > band.width) return;
    const Rect tag{std::floor(band.x + (band.width - width) / 2), band.y, width, band.height};
    fill(context.list, tag, context.theme.background);
    draw_text(context.list, context.fonts.small, tag, context.theme.dim, words, Align::kCentre);
}

bool describe_unfetched(Context& context, const store::Lane* lane) {
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    if (lane == nullptr || !is_mouse_over(context.layout.lanes) || ImGui::IsMouseDown(0)) return false;
    const std::optional<float> end = end_of(context, *lane);
    if (!end || context.lanes_x(mouse.x) >= static_cast<double>(*end)) return false;
    if (context.status.is_older_gone) {
        tooltip(context,
                "Before what this window asked the agent for. It can no longer be had as a whole: the agent was started "
                "anew, or has "
                "given up part of what is shown here. Open the agent anew to see what it holds");
        return true;
    }
    tooltip(context,
            "Before what this window asked the agent for: its older history is fetched when you look here. Nothing of it is "
            "lost "
            "by that; what the agent no longer holds is told then");
    return true;
}

}  // namespace sla::ui
