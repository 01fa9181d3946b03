#include "viewer/ui/tables/table_row.h"

#include "viewer/analysis/delta_tracker.h"
#include "viewer/analysis/filter/same_event.h"
#include "viewer/formats/names.h"
#include "viewer/timeline/readable.h"
#include "viewer/timeline/value_at.h"
#include "viewer/ui/commands/event_columns.h"
#include "viewer/ui/widgets/item_rects.h"
#include "viewer/ui/widgets/paint.h"
#include "viewer/ui/widgets/widgets.h"
#include "viewer/workspace/document.h"

namespace sla::ui {

namespace {

// The selected row, and those that a cursor stands on.
void draw_marks(Context& context, const TableRow& row, const Rect& place) {
    const auto& selection = context.marks.selection;
    const bool selected = selection && selection->lane == row.place.lane && selection->index == row.place.index;
    if (selected) fill(context.list, place, context.theme.selection);
    const Rect edge{place.x, place.y, context.px(4), place.height};
    const auto mark = [&](const std::optional<timeline::Cursor>& cursor, ImU32 colour) {
        if (cursor && cursor->tick == row.place.tick) fill(context.list, edge, colour);
    };
    mark(context.marks.cursors.b, context.theme.cursor_b);
    mark(context.marks.cursors.a, context.theme.cursor_a);
}

// Since the nearest shot; without any since where t = 0 was set.
std::string since_trigger(const Context& context, std::uint64_t tick) {
    const auto& shots = context.session.shots();
    const auto behind = context.session.first_shot_from(tick);
    std::optional<std::int64_t> away;
    if (behind != shots.end()) away = static_cast<std::int64_t>(tick - behind->tick);
    if (behind != shots.begin()) {
        const auto since = static_cast<std::int64_t>(tick - (behind - 1)->tick);
        if (!away || since <= -*away) away = since;
    }
    if (const auto& zero = context.marks.annotations.zero; zero && !away) away = static_cast<std::int64_t>(tick - *zero);
    return away ? timeline::readable_delta(context.session.clock().ticks_to_ps(*away)) : std::string();
}

}  // namespace

timeline::TimeUnit unit_of_times(const Context& context) {
    return timeline::unit_for(std::max<std::int64_t>(context.session.clock().to_ps(context.view.now()), 1'000'000));
}

TableRow table_row(const Context& context, const RowToShow& which) {
    const store::RowRef& place = which.place;
    const time::ClockMap& clock = context.session.clock();
    const store::Event event = (*place.lane)[place.index];
    TableRow row;
    row.number = which.number;
    row.place = place;
    const timeline::TimeUnit unit = unit_of_times(context);
    row.time = timeline::in_unit(context.time_ps(place.tick), unit, timeline::decimals_for(unit, 1'000)) + " " + unit.name;
    row.source = formats::process_text(context.session, *place.lane);
    row.channel = context.tree.title_of(*place.lane);
    row.kind = wire::kind_name(event.kind());
    row.gap = event.kind() == wire::Kind::kGap;
    const store::Gap* const of_row = row.gap ? place.lane->gap_at(place.index) : nullptr;
    row.not_kept = of_row != nullptr && of_row->is_not_kept();
    row.value = of_row != nullptr && of_row->is_uncounted() ? "?" : timeline::value_text(event);
    row.text = place.lane->text(place.index);
    if (const std::uint64_t repeats = which.repeats; repeats > 0) {
        const std::string times = "\xC3\x97" + timeline::grouped(repeats + 1);  // ×
        row.text = row.text.empty() ? times : times + "  " + row.text;
    }
    const analysis::Deltas deltas = analysis::DeltaTracker::at(context.session, place, which.before, which.before_in_lane);
    const auto readable = [](const std::optional<std::int64_t>& ps) {
        return ps ? timeline::readable_delta(*ps) : std::string();
    };
    row.delta_any = readable(deltas.any_ps);
    row.delta_lane = readable(deltas.channel_ps);
    row.error = readable(deltas.error_ps);
    if (const auto same = analysis::since_same_event(clock, place)) {
        row.delta_same = (same->longer ? "> " : "") + timeline::readable_delta(same->ps);
    }
    row.delta_trigger = since_trigger(context, place.tick);
    if (const auto& a = context.marks.cursors.a) {
        row.delta_a = timeline::readable_delta(clock.ticks_to_ps(static_cast<std::int64_t>(place.tick - a->tick)));
    }
    for (std::size_t i = 0; i < row.answers.size(); ++i)
        row.answers[i] = context.document.kept_answers->cell(i, *place.lane, place.index, place.tick);
    row.colour = context.theme.lane(context.tree.hue_of(*place.lane));
    return row;
}

bool draw_table_row(Context& context, const TableRow& row, const Rect& place,
                    const std::array<Rect, kTableColumns>& columns) {
    const Theme& theme = context.theme;
    ImGui::PushID(static_cast<int>(row.number & 0x7FFFFFFFU));
    const bool hovered = mouse_area("row", place);
    note_item("row", row.number);
    const bool clicked = ImGui::IsItemClicked();
    ImGui::PopID();
    const bool gap = row.gap;
    const ImU32 gap_ink = row.not_kept ? theme.dim : theme.loss;
    if (row.number % 2 == 1) fill(context.list, place, theme.stripe);
    if (gap) draw_hatch(context.list, place, faded(gap_ink, 0.16F), context.px(6), context.hair());
    if (hovered) fill(context.list, place, faded(theme.text, 0.06F));
    draw_marks(context, row, place);

    const auto cell = [&](TableColumn column) -> Rect {
        const Rect& head = columns[static_cast<std::size_t>(column)];
        return {head.x, place.y, head.width, place.height};
    };
    const ImFont* number = context.fonts.number;
    const ImU32 text = gap ? gap_ink : theme.text;
    draw_text(context.list, number, cell(TableColumn::kIndex), theme.dim, timeline::grouped(row.number), Align::kRight);
    draw_quantity(context.list, number, cell(TableColumn::kTime), text, theme.dim, row.time);
    const bool source_cut =
        draw_text(context.list, context.fonts.text, cell(TableColumn::kSource), gap ? gap_ink : theme.dim, row.source);
    const Rect channel = cell(TableColumn::kChannel);
    const float dot = context.px(3);
    if (channel.width > 0) {
        context.list.AddCircleFilled({channel.x + dot, place.y + place.height / 2}, dot, row.colour);
    }
    const Rect name{channel.x + context.px(12), channel.y, channel.width - context.px(12), channel.height};
    const bool cut = draw_text(context.list, context.fonts.text, name, text, row.channel);
    draw_text(context.list, context.fonts.text, cell(TableColumn::kKind), gap ? gap_ink : theme.dim, row.kind);
    draw_text(context.list, number, cell(TableColumn::kValue), text, row.value, Align::kRight);
    const bool text_cut = draw_text(context.list, context.fonts.text, cell(TableColumn::kText), text, row.text);
    draw_quantity(context.list, number, cell(TableColumn::kDeltaAny), text, theme.dim, row.delta_any);
    draw_quantity(context.list, number, cell(TableColumn::kDeltaLane), text, theme.dim, row.delta_lane);
    draw_quantity(context.list, number, cell(TableColumn::kDeltaEvent), text, theme.dim, row.delta_same);
    draw_quantity(context.list, number, cell(TableColumn::kDeltaTrigger), text, theme.dim, row.delta_trigger);
    draw_quantity(context.list, number, cell(TableColumn::kDeltaA), text, theme.dim, row.delta_a);
    draw_quantity(context.list, number, cell(TableColumn::kError), theme.dim, theme.dim, row.error);
    for (std::size_t i = 0; i < row.answers.size(); ++i) {
        const Rect answer = cell(question_column(i));
        const bool is_cut = draw_text(context.list, number, answer, text, row.answers[i], Align::kRight);
        if (hovered && is_cut && answer.contains(ImGui::GetIO().MousePos)) tooltip(context, row.answers[i]);
    }
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    if (hovered && cut && channel.contains(mouse)) tooltip(context, row.channel);
    if (hovered && source_cut && cell(TableColumn::kSource).contains(mouse)) tooltip(context, row.source);
    if (hovered && text_cut && cell(TableColumn::kText).contains(mouse)) tooltip(context, row.text);
    return clicked;
}

}  // namespace sla::ui
