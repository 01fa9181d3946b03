// What the statistics look like, and what of them is clicked.
#include "viewer/timeline/readable.h"
#include "viewer/ui/inspector/inspector.h"
#include "viewer/ui/inspector/statistics_panel.h"
#include "viewer/ui/widgets/item_rects.h"
#include "viewer/ui/widgets/paint.h"
#include "viewer/ui/widgets/widgets.h"
#include "viewer/workspace/document.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace sla::ui {

float StatisticsPanel::draw(Context& context, const Rect& place) {
    heading(context, {place.x, place.y + context.px(8), place.width, context.px(20)}, "STATISTICS");
    float y = place.y + context.px(32);
    const auto next = [&](float height) {
        const Rect at{place.x, y, place.width, height};
        y += height;
        return at;
    };
    if (context.marks.focus == nullptr) {
        draw_text(context.list, context.fonts.small, next(context.px(18)), context.theme.dim,
                  "Click a lane: its numbers appear here.");
        return y + context.px(8) - place.y;
    }
    refresh(context);
    draw_counting(context, next(context.px(24)));
    y += draw_numbers(context, {place.x, y, place.width, 0});
    if (!bars_.empty()) {
        y += context.px(4);
        draw_histogram(context, next(context.px(60)));
    }
    return y + context.px(8) - place.y;
}

void StatisticsPanel::draw_counting(Context& context, const Rect& line) const {
    const Rect at{line.x, line.y, line.width, line.height - context.px(4)};
    const float behind = toggle(context, "subtract-overhead", at,
                                {"less overhead", "Subtract the width of an empty section", counting_.subtract_overhead});
    toggle(context, "cull-outliers", {behind, at.y, at.right() - behind, at.height},
           {"no outliers", "Leave out what is wider than p75 + 3 (p75 - p25)", counting_.cull});
}

// A click goes to where it was measured.
void StatisticsPanel::draw_reading_cell(Context& context, const Reading& reading, const Rect& cell) {
    if (reading.ticks > 0) {
        ImGui::PushID(reading.label);
        const bool hovered = mouse_area("reading", cell);
        note_item("reading", reading.label);
        if (ImGui::IsItemClicked()) go_to_width(context, reading.ticks, reading.ticks);
        ImGui::PopID();
        if (hovered) fill(context.list, cell, context.theme.raised, context.px(3));
        if (hovered) tooltip(context, "Click: go there");
    }
    const bool is_loss = std::string_view(reading.label) == "lost" && reading.value != "0";
    draw_text(context.list, context.fonts.text, cell, context.theme.dim, reading.label);
    draw_quantity(context.list, context.fonts.number, cell, is_loss ? context.theme.loss : context.theme.text,
                  context.theme.dim, reading.value);
}

float StatisticsPanel::draw_numbers(Context& context, const Rect& place) {
    const float line = context.px(20);
    const ImU32 hue = context.theme.lane(context.tree.hue_of(*lane_));
    context.list.AddCircleFilled({place.x + context.px(4), place.y + line / 2}, context.px(4), hue);
    draw_text(context.list, context.fonts.strong, {place.x + context.px(14), place.y, place.width - context.px(14), line},
              context.theme.text, context.tree.title_of(*lane_));
    const bool between = context.marks.cursors.a && context.marks.cursors.b;
    draw_text(context.list, context.fonts.small, {place.x, place.y + line, place.width, context.px(18)}, context.theme.dim,
              title_ + (frozen_   ? ", as it was clicked"
                        : between ? ", between A and B"
                                  : ", in view"));
    const float top = place.y + line + context.px(18);
    const float half = std::floor((place.width - context.px(16)) / 2);
    std::vector<Reading> all{{"n", count_, 0}, {"lost", lost_, 0}};
    all.insert(all.end(), readings_.begin(), readings_.end());  // going to one makes them anew
    for (const Reading& one : all) {
        const float wanted = text_width(context.fonts.text, one.label) + text_width(context.fonts.number, one.value);
        if (wanted + context.px(8) > half) wide_.insert(one.label);
    }
    std::size_t cells = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
        // One that has no neighbour has the whole line, so that values stand below each other.
        const bool is_last = i + 1 == all.size() || wide_.contains(all[i + 1].label);
        const bool is_wide = wide_.contains(all[i].label) || (cells % 2 == 0 && is_last);
        const float x = place.x + (cells % 2 == 1 ? half + context.px(16) : 0);
        const Rect cell{x, top + line * static_cast<float>(cells / 2), is_wide ? place.width : half, line};
        cells += is_wide ? 2 : 1;
        draw_reading_cell(context, all[i], cell);
    }
    return top + line * static_cast<float>((cells + 1) / 2) - place.y;
}

void StatisticsPanel::draw_histogram(Context& context, const Rect& place) {
    const float label = context.px(16);
    const Rect body{place.x, place.y, place.width, place.height - label};
    const float width = body.width / static_cast<float>(bars_.size());
    std::optional<std::size_t> clicked;
    for (std::size_t i = 0; i < bars_.size(); ++i) {
        const float x0 = std::floor(body.x + width * static_cast<float>(i));
        const float x1 = std::floor(body.x + width * static_cast<float>(i + 1)) - context.hair();
        const Bar& bar = bars_[i];
        const float height =
            bar.count > 0 ? std::max(context.px(2), std::floor(body.height * static_cast<float>(bar.height))) : 0;
        ImGui::PushID(static_cast<int>(i));
        const bool hovered = mouse_area("bar", {x0, body.y, x1 - x0 + context.hair(), body.height});
        if (ImGui::IsItemClicked()) clicked = i;
        ImGui::PopID();
        fill(context.list, {x0, body.bottom() - height, x1 - x0, height},
             hovered ? context.theme.accent : mixed(context.theme.panel, context.theme.accent, 0.7F));
        if (hovered && bar.count > 0) {
            const time::ClockMap& clock = context.session.clock();
            tooltip(context,
                    fmt::format("{} from {} to {}; {}", timeline::grouped(bar.count),
                                timeline::readable_delta(clock.ticks_to_ps(static_cast<std::int64_t>(bar.from_ticks))),
                                timeline::readable_delta(clock.ticks_to_ps(static_cast<std::int64_t>(bar.until_ticks))),
                                can_go_there_ ? "click: go to the next of them" : "zoom in to go to them"));
        }
    }
    if (clicked && bars_[*clicked].count > 0 && can_go_there_) {
        go_to_width(context, bars_[*clicked].from_ticks, std::max(bars_[*clicked].until_ticks, std::uint64_t{1}) - 1);
    }
    fill(context.list, {body.x, body.bottom(), body.width, context.hair()}, context.theme.line);
    const Rect axis{place.x, body.bottom() + context.px(1), place.width, label};
    draw_quantity(context.list, context.fonts.tiny, axis, context.theme.dim, context.theme.dim, least_, Align::kLeft);
    draw_quantity(context.list, context.fonts.tiny, axis, context.theme.dim, context.theme.dim, most_, Align::kRight);
    const ToggleStyle widths{"log x", "Bars of equal ratio, or of equal width", !counting_.even_bars};
    const ToggleStyle counts{"log y", "Bars high as their count's logarithm, or as their count", !counting_.plain_counts};
    const float both = toggle_width(context, widths) + toggle_width(context, counts);
    const float left = std::floor(axis.x + (axis.width - both) / 2);
    const float behind = toggle(context, "even-bars", {left, axis.y, both, label}, widths);
    toggle(context, "plain-counts", {behind, axis.y, left + both - behind, label}, counts);
}

}  // namespace sla::ui
