#include "viewer/ui/gap_list.h"

#include "viewer/timeline/readable.h"
#include "viewer/ui/paint.h"
#include "viewer/ui/visible_lanes.h"
#include "viewer/ui/widgets.h"

#include <fmt/format.h>

#include <algorithm>

namespace sla::ui {

namespace {

constexpr std::size_t kMost = 10'000;  // of each lane the newest; the lanes and the table show all
constexpr float kRow = 36;
constexpr float kBar = 12;

void go_there(Context& context, const store::Lane& lane, const store::Gap& gap) {
    context.view.focus = &lane;
    context.view.selection = Selection{&lane, gap.index, gap.tick};
    context.view.reveal(gap.tick);
    scroll_to(context, lane);
}

// Two lines: channel and number lost, time and cause.
void draw_gap(Context& context, const store::Lane& lane, const store::Gap& gap, const Rect& row) {
    const bool hovered = mouse_area("gap", row);
    if (ImGui::IsItemClicked()) go_there(context, lane, gap);
    const Rect back{context.layout.inspector.x + context.hair(), row.y, context.layout.inspector.width, row.height};
    if (hovered) fill(context.list, back, context.theme.raised);
    const Rect upper{row.x, row.y + context.px(2), row.width, context.px(17)};
    const Rect lower{row.x, row.y + context.px(18), row.width, context.px(16)};
    const std::string lost = timeline::grouped(gap.lost);
    const float lost_width = text_width(context.fonts.number, lost) + context.px(8);
    draw_text(context.list, context.fonts.number, upper, context.theme.loss, lost, Align::kRight);
    draw_text(context.list, context.fonts.text, {upper.x, upper.y, upper.width - lost_width, upper.height},
              context.theme.text, lane.channel().name);
    draw_quantity(context.list, context.fonts.small_number, lower, context.theme.dim, context.theme.dim,
                  timeline::readable_time(context.session.clock().to_ps(gap.tick), 1'000), Align::kLeft);
    draw_text(context.list, context.fonts.small, lower, context.theme.dim, wire::loss_cause_name(gap.cause), Align::kRight);
    line_below(context.list, back, context.theme.line, context.hair());
}

}  // namespace

void GapList::refresh(const store::Session& session) {
    std::size_t count = 0;
    for (const store::Lane* lane : session.lanes()) count += lane->gaps().size();
    if (count == known_) return;
    known_ = count;
    newest_.clear();
    for (const store::Lane* lane : session.lanes()) {
        const auto& gaps = lane->gaps();
        for (std::size_t i = gaps.size() - std::min(gaps.size(), kMost); i < gaps.size(); ++i)
            newest_.push_back({lane, &gaps[i]});
    }
    std::sort(newest_.begin(), newest_.end(), [](const Item& a, const Item& b) { return a.gap->tick < b.gap->tick; });
    if (newest_.size() > kMost) newest_.erase(newest_.begin(), newest_.end() - static_cast<std::ptrdiff_t>(kMost));
}

void GapList::draw(Context& context, const Rect& place) {
    refresh(context.session);
    if (newest_.empty()) {
        draw_text(context.list, context.fonts.small, {place.x, place.y, place.width, context.px(40)}, context.theme.dim,
                  "Nothing was lost.");
        return;
    }
    const float height = context.px(kRow);
    const double shown = std::max(1.0, std::floor(static_cast<double>(place.height / height)));
    if (place.contains(ImGui::GetIO().MousePos)) first_ -= static_cast<double>(ImGui::GetIO().MouseWheel) * 2;
    const Rect bar_place{place.right() - context.px(10), place.y, context.px(10), place.height};
    const Scrollbar bar(context, "gaps scroll", bar_place, first_, shown, static_cast<double>(newest_.size()));
    first_ = bar.first;
    const Clip clip(context.list, {context.layout.inspector.x, place.y, context.layout.inspector.width, place.height});
    float y = place.y;
    for (auto i = static_cast<std::size_t>(first_); i < newest_.size() && y < place.bottom(); ++i, y += height) {
        ImGui::PushID(static_cast<int>(i));
        draw_gap(context, *newest_[i].lane, *newest_[i].gap, {place.x, y, place.width - context.px(kBar), height});
        ImGui::PopID();
    }
    bar.draw(context.list);
}

}  // namespace sla::ui
