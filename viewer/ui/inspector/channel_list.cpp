#include "viewer/ui/inspector/channel_list.h"

#include "viewer/timeline/readable.h"
#include "viewer/ui/widgets/paint.h"
#include "viewer/ui/widgets/visible_lanes.h"
#include "viewer/ui/widgets/widgets.h"

#include <algorithm>

namespace sla::ui {

namespace {

constexpr float kRow = 20;
constexpr float kRate = 56;
constexpr float kLost = 44;
constexpr float kBar = 12;

struct Cells {
    Rect name, rate, lost;
};

Cells cells_of(const Context& context, const Rect& row) {
    const float right = row.right() - context.px(kBar);
    const Rect lost{right - context.px(kLost), row.y, context.px(kLost), row.height};
    const Rect rate{lost.x - context.px(kRate), row.y, context.px(kRate), row.height};
    return {{row.x, row.y, rate.x - row.x, row.height}, rate, lost};
}

// The agent knows of losses that reached no reader; the larger count is the truth.
std::uint64_t lost_of(const store::Session& session, const store::Lane& lane) {
    const store::Ledger* ledger = session.ledger(lane.channel().id);
    return std::max(lane.lost(), ledger == nullptr ? 0 : ledger->lost());
}

void draw_channel(Context& context, const store::Lane& lane, const Rect& row) {
    const Cells cells = cells_of(context, row);
    ImGui::PushID(static_cast<int>(lane.channel().id.value));
    const bool hovered = mouse_area("channel", row);
    if (ImGui::IsItemClicked()) {
        context.marks.focus = &lane;
        scroll_to(context, lane);
    }
    ImGui::PopID();
    const Rect back{context.layout.inspector.x + context.hair(), row.y, context.layout.inspector.width, row.height};
    if (context.marks.focus == &lane) {
        fill(context.list, back, context.theme.selection);
    } else if (hovered) {
        fill(context.list, back, context.theme.raised);
    }
    const std::string name = lane_label(context, lane);
    const bool has_rate = !context.tree.is_derived(lane);  // nobody counts the answer to a question
    const std::string rate = has_rate ? context.rates.of(lane).number : std::string();
    draw_text(context.list, context.fonts.small_number, cells.rate, context.theme.dim, rate, Align::kRight);
    const float most = cells.rate.right() - text_width(context.fonts.small_number, rate) - context.px(8) - row.x;
    const bool cut = draw_text(context.list, context.fonts.text, {row.x, row.y, most, row.height}, context.theme.text, name);
    const std::uint64_t lost = lost_of(context.session, lane);
    const std::uint64_t uncounted = lane.uncounted_losses();
    draw_text(context.list, context.fonts.small_number, cells.lost,
              lost > 0 || uncounted > 0 ? context.theme.loss : faded(context.theme.dim, 0.6F),
              timeline::lost_number(lost, uncounted, 99'999), Align::kRight);
    const store::Source* source = context.session.source_of(lane);
    const bool has_title_alone = source != nullptr && !context.tree.are_names_shared();
    const bool says_source = has_title_alone && context.session.sources().size() > 1;  // several may have such a channel
    const char* more = uncounted > 0 ? "\nSomething was lost there, and nobody knows how many events" : "";
    if (hovered && (cut || says_source || uncounted > 0))
        tooltip(context, (says_source ? name + " of " + source->name : name) + more);
}

}  // namespace

void ChannelList::draw(Context& context, const Rect& place) {
    const float height = context.px(kRow);
    const Cells head = cells_of(context, {place.x, place.y + context.px(4), place.width, height});
    draw_text(context.list, context.fonts.small, head.name, context.theme.dim, "name");
    draw_text(context.list, context.fonts.small, head.rate, context.theme.dim, "events/s", Align::kRight);
    draw_text(context.list, context.fonts.small, head.lost, context.theme.dim, "lost", Align::kRight);
    const Rect body{place.x, head.name.bottom(), place.width, place.bottom() - head.name.bottom()};
    const auto& lanes = context.tree.lanes();
    const double shown = std::max(1.0, std::floor(static_cast<double>(body.height / height)));
    if (is_mouse_over(body)) first_ -= static_cast<double>(ImGui::GetIO().MouseWheel) * 3;
    const Rect bar_place{place.right() - context.px(10), body.y, context.px(10), body.height};
    const Scrollbar bar(context, "channels scroll", bar_place, first_, shown, static_cast<double>(lanes.size()));
    first_ = bar.first;
    const Clip clip(context.list, {context.layout.inspector.x, body.y, context.layout.inspector.width, body.height});
    float y = body.y;
    for (auto i = static_cast<std::size_t>(first_); i < lanes.size() && y < body.bottom(); ++i, y += height) {
        draw_channel(context, *lanes[i], {body.x, y, body.width, height});
    }
    bar.draw(context.list);
}

}  // namespace sla::ui
