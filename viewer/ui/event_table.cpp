#include "viewer/ui/event_table.h"

#include "viewer/analysis/delta_tracker.h"
#include "viewer/timeline/readable.h"
#include "viewer/timeline/value_at.h"
#include "viewer/ui/paint.h"
#include "viewer/ui/table_columns.h"
#include "viewer/ui/visible_lanes.h"
#include "viewer/ui/widgets.h"

#include <algorithm>

namespace sla::ui {

namespace {

constexpr float kHead = 24;
constexpr float kRow = 20;
constexpr float kBar = 10;
constexpr std::chrono::microseconds kFilterBudget{3000};

Rect cell(const std::array<Rect, kTableColumns>& cells, TableColumn column) {
    return cells[static_cast<std::size_t>(column)];
}

}  // namespace

EventTable::EventTable(const store::Session& session) : index_(session), filter_(session, Search::Over::kEvents) {}

void EventTable::set_filter(const std::string& text) {
    if (text == filter_text_) return;
    filter_text_ = text;
    filter_.set(text);
    first_ = 0;
    shown_revision_ = ~std::uint64_t{0};
}

std::string EventTable::filter_words() const {
    if (filter_text_.empty()) return {};
    if (filter_wrong()) return filter_.problem();
    return timeline::grouped(filter_.hits().size()) + (filter_.busy() ? " rows so far" : " rows");
}

std::uint64_t EventTable::row_at(std::uint64_t tick) const {
    return filtered() ? filter_.next(tick).value_or(filter_.hits().size()) : index_.row_at(tick);
}

std::uint64_t EventTable::row_of(const store::Lane& lane, std::uint64_t index) const {
    if (!filtered()) return index_.row_of(lane, index);
    std::size_t row = filter_.next(lane.tick(index)).value_or(filter_.hits().size());
    for (std::size_t i = row; i < filter_.hits().size() && filter_.hits()[i].tick == lane.tick(index); ++i) {
        if (filter_.hits()[i].lane == &lane && filter_.hits()[i].index == index) return i;
    }
    return row;
}

std::optional<store::Place> EventTable::place_of(std::uint64_t row) const {
    if (!filtered()) return index_.place(row);
    if (row >= filter_.hits().size()) return std::nullopt;
    const Hit& hit = filter_.hits()[row];
    return store::Place{hit.lane, hit.index, hit.tick};
}

void EventTable::draw(Context& context) {
    index_.refresh();
    filter_.step(kFilterBudget);
    const Rect& area = context.layout.table;
    if (area.height <= 0) return;
    fill(context.list, area, context.theme.background);
    const Rect head{area.x, area.y, area.width, context.px(kHead)};
    const Rect body{area.x, head.bottom(), area.width - context.px(kBar), area.height - head.height};
    const auto row_height = context.px(kRow);
    const auto whole_rows = static_cast<std::size_t>(std::max(1.0F, std::floor(body.height / row_height)));
    follow_view(context, whole_rows);
    if (area.contains(ImGui::GetIO().MousePos)) {
        const double moved = static_cast<double>(first_) - static_cast<double>(ImGui::GetIO().MouseWheel) * 3;
        first_ = static_cast<std::uint64_t>(std::max(0.0, moved));
        if (ImGui::GetIO().MouseWheel != 0) context.view.set_follow(false);
    }
    const Rect bar_place{body.right(), body.y, context.px(kBar), body.height};
    const Scrollbar bar(context, "table scroll", bar_place, static_cast<double>(first_), static_cast<double>(whole_rows),
                        static_cast<double>(row_count()));
    first_ = static_cast<std::uint64_t>(bar.first);
    collect(context, whole_rows + 1);
    {
        const Clip clip(context.list, body);
        float y = body.y;
        for (const Row& row : shown_) {
            draw_row(context, row, {body.x, y, body.width, row_height}, row.number % 2 == 1);
            y += row_height;
        }
        if (shown_.empty()) {
            draw_text(context.list, context.fonts.text, {body.x, body.y, body.width, std::min(body.height, context.px(56))},
                      context.theme.dim,
                      filtered() ? (filter_.busy() ? "Looking\xE2\x80\xA6" : "No event matches the filter.")
                                 : "Every event appears here as a row, with the time since the one before.",
                      Align::kCentre);
        }
    }
    bar.draw(context.list);
    draw_head(context, head);
}

// The newest rows while following; else the row of the selection or the first one in view, when either has changed.
void EventTable::follow_view(Context& context, std::size_t shown) {
    const View& view = context.view;
    const bool moved = seen_moves_ != view.moves();
    const std::uint64_t selected = view.selection ? view.selection->index : ~std::uint64_t{0};
    const store::Lane* lane = view.selection ? view.selection->lane : nullptr;
    const bool selection_changed = selected != seen_selection_ || lane != seen_lane_;
    seen_moves_ = view.moves();
    const bool known = !selection_changed || !view.selection || filtered() || index_.is_tick_here(view.selection->tick);
    if (known) {  // else its rows are being fetched: look again in the next frame
        seen_selection_ = selected;
        seen_lane_ = lane;
    }
    const std::uint64_t rows = row_count();
    if (view.follow()) {
        first_ = rows - std::min<std::uint64_t>(rows, shown);
    } else if (selection_changed && !known) {
        seen_moves_ = view.moves();
    } else if (selection_changed && view.selection) {
        const std::uint64_t row = lane != nullptr ? row_of(*lane, selected) : row_at(view.selection->tick);
        if (row < first_ || row >= first_ + shown) first_ = row - std::min<std::uint64_t>(row, shown / 2);
    } else if (moved) {
        const std::uint64_t tick = view.target().visible().first;
        if (filtered() || index_.is_tick_here(tick)) {
            first_ = row_at(tick);
        } else {
            --seen_moves_;  // its rows are being fetched: look again in the next frame
        }
    }
    first_ = std::min(first_, rows - std::min<std::uint64_t>(rows, shown));
}

bool EventTable::are_here(std::uint64_t first, std::uint64_t count) const {
    if (!filtered()) return index_.is_here(first, count);
    bool all = true;
    for (std::uint64_t row = first; row < std::min<std::uint64_t>(first + count, row_count()); ++row) {
        const Hit& hit = filter_.hits()[row];
        all = hit.lane->are_rows_here(hit.index - std::min<std::uint64_t>(hit.index, 1), hit.index + 1) && all;
    }
    return all;
}

void EventTable::collect(const Context& context, std::size_t count) {
    const std::uint64_t revision = context.session.revision();
    const auto& a = context.view.cursors.a;
    const std::optional<std::uint64_t> a_tick = a ? std::optional(a->tick) : std::nullopt;
    const bool same = shown_first_ == first_ && shown_count_ == count && shown_revision_ == revision &&
                      shown_rows_ == row_count() && shown_a_ == a_tick && shown_zero_ == context.view.notes.zero;
    if (same && shown_theme_ == context.theme.name) return;
    if (!are_here(first_, count)) return;  // what was shown stays for the moment it takes to fetch the rows
    shown_first_ = first_;
    shown_count_ = count;
    shown_revision_ = revision;
    shown_rows_ = row_count();
    shown_a_ = a_tick;
    shown_zero_ = context.view.notes.zero;
    shown_theme_ = context.theme.name;
    shown_.clear();
    if (first_ < row_count()) collect_rows(context, count);
}

void EventTable::collect_rows(const Context& context, std::size_t count) {
    const std::uint64_t start = first_ == 0 ? 0 : first_ - 1;
    const std::uint64_t end = std::min<std::uint64_t>(first_ + count, row_count());
    std::optional<store::MergedCursor> cursor;
    if (!filtered()) cursor.emplace(index_.cursor(start));
    std::optional<store::Place> before;
    for (std::uint64_t number = start; number < end; ++number) {
        const auto place = cursor ? cursor->next() : place_of(number);
        if (!place) break;
        if (number >= first_) shown_.push_back(make_row(context, number, *place, before));
        before = place;
    }
}

EventTable::Row EventTable::make_row(const Context& context, std::uint64_t number, const store::Place& place,
                                     std::optional<store::Place> before) const {
    const time::ClockMap& clock = context.session.clock();
    const store::Event event = (*place.lane)[place.index];
    Row row;
    row.number = number;
    row.place = place;
    // One unit for the whole column, so that its digits stand below each other.
    const timeline::TimeUnit unit = timeline::unit_for(std::max<std::int64_t>(clock.to_ps(context.view.now()), 1'000'000));
    row.time = timeline::in_unit(context.time_ps(place.tick), unit, timeline::decimals_for(unit, 1'000)) + " " + unit.name;
    row.channel = context.tree.title_of(*place.lane);
    row.kind = wire::kind_name(event.kind());
    row.gap = event.kind() == wire::Kind::kGap;
    row.value = timeline::value_text(event);
    row.text = place.lane->text(place.index);
    const analysis::Deltas deltas = analysis::DeltaTracker::at(clock, place, before);
    const auto readable = [](const std::optional<std::int64_t>& ps) {
        return ps ? timeline::readable_delta(*ps) : std::string();
    };
    row.delta_any = readable(deltas.any_ps);
    row.delta_lane = readable(deltas.channel_ps);
    row.error = readable(deltas.error_ps);
    if (shown_a_) {
        row.delta_a = timeline::readable_delta(clock.ticks_to_ps(static_cast<std::int64_t>(place.tick - *shown_a_)));
    }
    row.colour = context.theme.lane(context.tree.hue_of(*place.lane));
    return row;
}

void EventTable::draw_head(Context& context, const Rect& place) {
    fill(context.list, place, context.theme.panel);
    const auto cells = table_columns({place.x, place.y, place.width - context.px(kBar), place.height}, context.layout.scale,
                                     shown_a_.has_value());
    for (std::size_t i = 0; i < kTableColumns; ++i) {
        draw_text(context.list, context.fonts.small, cells[i], context.theme.dim, kTableLooks[i].title,
                  kTableLooks[i].number ? Align::kRight : Align::kLeft);
        ImGui::PushID(static_cast<int>(i));
        if (mouse_area("head", cells[i])) tooltip(context, kTableLooks[i].tooltip);
        ImGui::PopID();
    }
    line_below(context.list, {place.x, place.y, place.width, context.hair()}, context.theme.line, context.hair());
    line_below(context.list, place, context.theme.line, context.hair());
}

void EventTable::draw_row(Context& context, const Row& row, const Rect& place, bool striped) {
    const Theme& theme = context.theme;
    ImGui::PushID(static_cast<int>(row.number & 0x7FFFFFFFU));
    const bool hovered = mouse_area("row", place);
    if (ImGui::IsItemClicked()) select_row(context, row.place);
    ImGui::PopID();
    const bool gap = row.gap;
    if (striped) fill(context.list, place, theme.stripe);
    if (gap) draw_hatch(context.list, place, faded(theme.loss, 0.16F), context.px(6), context.hair());
    if (hovered) fill(context.list, place, faded(theme.text, 0.06F));
    draw_marks(context, row, place);

    const auto cells = table_columns(place, context.layout.scale, shown_a_.has_value());
    const ImFont* number = context.fonts.number;
    const ImU32 text = gap ? theme.loss : theme.text;
    draw_text(context.list, number, cell(cells, TableColumn::kIndex), theme.dim, timeline::grouped(row.number),
              Align::kRight);
    draw_quantity(context.list, number, cell(cells, TableColumn::kTime), text, theme.dim, row.time);
    const Rect channel = cell(cells, TableColumn::kChannel);
    const float dot = context.px(3);
    context.list.AddCircleFilled({channel.x + dot, place.y + place.height / 2}, dot, row.colour);
    const Rect name{channel.x + context.px(12), channel.y, channel.width - context.px(12), channel.height};
    const bool cut = draw_text(context.list, context.fonts.text, name, text, row.channel);
    draw_text(context.list, context.fonts.text, cell(cells, TableColumn::kKind), gap ? theme.loss : theme.dim, row.kind);
    draw_text(context.list, number, cell(cells, TableColumn::kValue), text, row.value, Align::kRight);
    const bool text_cut = draw_text(context.list, context.fonts.text, cell(cells, TableColumn::kText), text, row.text);
    draw_quantity(context.list, number, cell(cells, TableColumn::kDeltaAny), text, theme.dim, row.delta_any);
    draw_quantity(context.list, number, cell(cells, TableColumn::kDeltaLane), text, theme.dim, row.delta_lane);
    draw_quantity(context.list, number, cell(cells, TableColumn::kDeltaA), text, theme.dim, row.delta_a);
    draw_quantity(context.list, number, cell(cells, TableColumn::kError), theme.dim, theme.dim, row.error);
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    if (hovered && cut && channel.contains(mouse)) tooltip(context, row.channel);
    if (hovered && text_cut && cell(cells, TableColumn::kText).contains(mouse)) tooltip(context, row.text);
}

// The selected row, and those that a cursor stands on.
void EventTable::draw_marks(Context& context, const Row& row, const Rect& place) const {
    const auto& selection = context.view.selection;
    const bool selected = selection && selection->lane == row.place.lane && selection->index == row.place.index;
    if (selected) fill(context.list, place, context.theme.selection);
    const Rect edge{place.x, place.y, context.px(4), place.height};
    const auto mark = [&](const std::optional<timeline::Cursor>& cursor, ImU32 colour) {
        if (cursor && cursor->tick == row.place.tick) fill(context.list, edge, colour);
    };
    mark(context.view.cursors.b, context.theme.cursor_b);
    mark(context.view.cursors.a, context.theme.cursor_a);
}

void EventTable::select_row(Context& context, const store::Place& place) {
    context.view.selection = Selection{place.lane, place.index, place.tick};
    context.view.focus = place.lane;
    context.view.reveal(place.tick);
    scroll_to(context, *place.lane);
    seen_moves_ = context.view.moves();
    seen_selection_ = place.index;
    seen_lane_ = place.lane;
}

void EventTable::step_selection(Context& context, int rows) {
    const std::uint64_t count = row_count();
    if (count == 0) return;
    const auto& selection = context.view.selection;
    const bool from_event = selection && selection->lane != nullptr;
    std::uint64_t row = from_event ? row_of(*selection->lane, selection->index) : first_;
    if (from_event) {
        row = rows < 0 ? row - std::min<std::uint64_t>(row, static_cast<std::uint64_t>(-rows))
                       : row + static_cast<std::uint64_t>(rows);
    }
    const auto place = place_of(std::min(row, count - 1));
    if (!place) return;
    select_row(context, *place);
    seen_selection_ = ~std::uint64_t{0};  // let follow_view bring it into sight
}

}  // namespace sla::ui
