#include "viewer/ui/timeline/lane_names.h"

#include "viewer/timeline/readable.h"
#include "viewer/timeline/value_at.h"
#include "viewer/ui/commands/keymap.h"
#include "viewer/ui/timeline/head_name.h"
#include "viewer/ui/widgets/paint.h"
#include "viewer/ui/widgets/visible_lanes.h"
#include "viewer/ui/widgets/widgets.h"
#include "viewer/workspace/document.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace sla::ui {

namespace {

constexpr float kNumberWidth = 92;  // at most
constexpr float kMinNumber = 36;

// Where values are read: under the mouse, else at cursor A.
std::optional<std::uint64_t> reading_tick(const Context& context) {
    if (context.mouse_in_lanes()) return context.view.port().tick_at(context.lanes_x(ImGui::GetIO().MousePos.x));
    if (context.marks.cursors.a) return context.marks.cursors.a->tick;
    return std::nullopt;
}

struct Number {
    std::string text;
    bool rate = false;
};

Number number_of(const Context& context, const store::Lane& lane, std::optional<std::uint64_t> tick) {
    if (tick) {
        const auto at = static_cast<std::int64_t>(*tick) - context.offset_of(lane);
        if (at < 0) return {};
        return {timeline::value_at(lane, static_cast<std::uint64_t>(at), context.known_until(lane))};
    }
    return {context.rates.of(lane).with_unit, true};
}

void draw_number(Context& context, const Number& number, const Rect& place) {
    const ImFont* font = context.fonts.small_number;
    if (number.rate) {
        draw_quantity(context.list, font, place, context.theme.dim, faded(context.theme.dim, 0.75F), number.text);
    } else {
        draw_text(context.list, font, place, context.theme.text, number.text, Align::kRight);
    }
}

// What the top and the bottom of a value lane stand for.
void draw_scale(Context& context, const Rect& place, const ValueExtent& values) {
    if (!values.has_length()) return;
    const float line = context.fonts.tiny->FontSize + context.px(2);
    if (place.height < 3 * line) return;  // it would stand over the number in the middle
    const ImU32 colour = faded(context.theme.dim, 0.85F);
    draw_text(context.list, context.fonts.tiny, {place.x, place.y + context.px(1), place.width, line}, colour,
              timeline::readable_count(values.greatest), Align::kRight);
    draw_text(context.list, context.fonts.tiny, {place.x, place.bottom() - line - context.px(1), place.width, line}, colour,
              timeline::readable_count(values.least), Align::kRight);
}

// "+5 us" of a lane that is drawn later than it happened; else nothing.
std::string shift_of(const Context& context, const store::Lane& lane) {
    const std::int64_t offset = context.offset_of(lane);
    if (offset == 0) return {};
    const std::string shift = timeline::readable_delta(context.session.clock().ticks_to_ps(offset));
    return offset > 0 ? "+" + shift : shift;
}

// What the mouse shows of it.
void describe_lane(const Context& context, const store::Lane& lane, bool ended, bool off) {
    const store::Ledger* ledger = context.session.ledger(lane.channel().id);
    std::string words = fmt::format("{}\n{}, {}", lane.channel().name, timeline::events_text(lane.events()),
                                    timeline::lost_words(lane.lost(), lane.uncounted_losses()));
    if (lane.not_kept() > 0) words += fmt::format(", {} not kept by the agent", timeline::grouped(lane.not_kept()));
    if (ended) words += "\nits program has ended";
    if (off) words += "\nswitched off at the agent";
    if (ledger != nullptr && !ledger->filter.empty()) {
        words += fmt::format("\nonly {}; {} turned away", ledger->filter, timeline::grouped(ledger->filtered));
    }
    if (const std::int64_t offset = context.offset_of(lane); offset != 0) {
        words += "\ndrawn later by " + timeline::readable_delta(context.session.clock().ticks_to_ps(offset));
    }
    tooltip(context, words + "\nright click: what can be done; drag: another place");
}

void draw_lane(Context& context, const VisibleRow& visible, const Rect& place, std::optional<std::uint64_t> tick,
               const ValueExtent& values) {
    const timeline::TreeRow& row = *visible.row;
    const store::Lane& lane = *row.lane;
    const bool focused = context.marks.focus == &lane;
    ImGui::PushID(static_cast<int>(lane.channel().id.value));
    const bool hovered = mouse_area("lane", place);
    if (ImGui::IsItemClicked(0)) context.marks.focus = &lane;
    if (ImGui::IsItemClicked(1)) context.document.panels.lane_menu = &lane;
    ImGui::PopID();
    if (focused) {
        fill(context.list, place, context.theme.selection);
    } else if (hovered) {
        fill(context.list, place, context.theme.raised);
    }
    const float x = name_begin(context, row, place);
    const float bar = context.px(3);
    fill(context.list, {x, place.y + context.px(6), bar, place.height - context.px(12)}, context.theme.lane(row.hue),
         bar / 2);
    const Number shown = number_of(context, lane, tick);
    const float wanted = std::max(context.px(kMinNumber), text_width(context.fonts.small_number, shown.text));
    const float space = std::min(std::ceil(wanted), context.px(kNumberWidth));
    const Rect number{place.right() - context.px(10) - space, place.y, space, place.height};
    draw_number(context, shown, number);
    if (timeline::look_of(lane, context.tree.style_of(lane)) == timeline::LaneLook::kMarks)
        draw_scale(context, number, values);
    const float name_x = x + context.px(12);
    const bool is_lossy = lane.lost() > 0 || lane.uncounted_losses() > 0;
    const float dot = is_lossy ? context.px(10) : 0;
    Rect name{name_x, place.y, number.x - name_x - context.px(6) - dot, place.height};
    if (const std::string later = shift_of(context, lane); !later.empty()) {
        const float width = std::min(text_width(context.fonts.tiny, later), name.width * 0.5F);
        draw_text(context.list, context.fonts.tiny, {name.right() - width, name.y, width, name.height}, context.theme.accent,
                  later);
        name.width -= width + context.px(4);
    }
    const bool ended = context.session.source_of(lane) != nullptr && context.session.source_of(lane)->ended;
    const store::Ledger* ledger = context.session.ledger(lane.channel().id);
    const bool off = ledger != nullptr && ledger->off;
    const bool faint = ended || off || row.hidden;
    const ImU32 colour = faint ? mixed(context.theme.dim, context.theme.text, 0.3F) : context.theme.text;
    draw_text(context.list, context.fonts.text, name, colour, row.name);
    if (off) {
        const float middle = std::floor(place.y + place.height / 2);
        const float width = std::min(name.width, text_width(context.fonts.text, row.name));
        fill(context.list, {name.x, middle, width, context.hair()}, colour);
    }
    if (is_lossy) {
        context.list.AddCircleFilled({number.x - context.px(8), place.y + place.height / 2}, context.px(2.5F),
                                     context.theme.loss);
    }
    line_below(context.list, place, context.theme.line, context.hair());
    if (hovered) describe_lane(context, lane, ended, off);
}

void draw_names_head(Context& context) {
    const Rect& head = context.layout.names_head;
    fill(context.list, head, context.theme.panel);
    const std::size_t lanes = context.session.lanes().size();
    const bool is_named = context.document.panels.is_beside;  // else the toolbar says which source it is
    const std::string count = is_named     ? context.status.name
                              : lanes == 1 ? std::string("1 channel")
                                           : timeline::grouped(lanes) + " channels";
    const Rect line{head.x + context.px(12), context.layout.ruler.y, head.width - context.px(22),
                    context.layout.ruler.height};
    const bool reading = reading_tick(context).has_value();
    const char* what = reading ? (context.mouse_in_lanes() ? "value at mouse" : "value at A") : "rate";
    const float what_width = text_width(context.fonts.small, what);
    draw_text(context.list, context.fonts.small, line, context.theme.dim, what, Align::kRight);
    if (const float space = line.width - what_width - context.px(8);
        is_named || space >= text_width(context.fonts.text, count))
        draw_text(context.list, context.fonts.text, {line.x, line.y, space, line.height}, context.theme.dim, count);
    if (const std::size_t hidden = context.tree.hidden(); hidden > 0 && context.layout.minimap.height > 0) {
        const bool shown = context.tree.arrangement.show_hidden;
        const std::string words = fmt::format("{} hidden{}", timeline::grouped(hidden), shown ? ", shown" : "");
        const Rect upper{line.x, context.layout.minimap.y, line.width, context.layout.minimap.height};
        const bool hovered = mouse_area("hidden lanes", upper);
        if (ImGui::IsItemClicked()) context.tree.arrangement.show_hidden = !shown;
        draw_text(context.list, context.fonts.small, upper, hovered ? context.theme.text : context.theme.accent, words);
        if (hovered)
            tooltip(context,
                    context.keys.with_keys(shown ? "Hide them again  ({show-hidden})" : "Show them  ({show-hidden})"));
    }
    line_below(context.list, head, context.theme.line, context.hair());
    line_right(context.list, head, context.theme.line, context.hair());
}

}  // namespace

Scrollbar scroll_lanes(Context& context) {
    const Rect& lanes = context.layout.lanes;
    const ImGuiIO& io = ImGui::GetIO();
    if (is_mouse_over(context.layout.names)) context.view.lane_scroll -= io.MouseWheel * context.px(56);
    const Rect place{lanes.right() - context.px(10), lanes.y, context.px(10), lanes.height};
    Scrollbar bar(context, "lane scroll", place, static_cast<double>(context.view.lane_scroll),
                  static_cast<double>(lanes.height), static_cast<double>(list_height(context)));
    context.view.lane_scroll = std::round(static_cast<float>(bar.first));
    return bar;
}

void LaneNames::draw_row(Context& context, const VisibleRow& visible, const LanesArea& lanes,
                         std::optional<std::uint64_t> tick) {
    const Rect& area = context.layout.names;
    const Rect place{area.x, visible.y, area.width, visible.height};
    const Clip clip(context.list, row_clip(context, visible, area));
    if (visible.row->lane == nullptr) {
        draw_head_name(context, visible, place);
    } else {
        draw_lane(context, visible, place, tick, lanes.values_shown(*visible.row->lane));
    }
    if (drag_.carries(visible.row->key)) fill(context.list, place, faded(context.theme.accent, 0.18F));
}

void LaneNames::draw(Context& context, const LanesArea& lanes) {
    const Rect& area = context.layout.names;
    fill(context.list, area, context.theme.panel);
    draw_names_head(context);
    const auto tick = reading_tick(context);
    for (const VisibleRow& visible : visible_rows(context)) draw_row(context, visible, lanes, tick);
    if (context.tree.pinned_height() > 0) {
        fill(context.list, {area.x, pinned_bottom(context) - context.hair(), area.width, context.hair()}, context.theme.dim);
    }
    drag_.step(context);
    line_right(context.list, area, context.theme.line, context.hair());
}

}  // namespace sla::ui
