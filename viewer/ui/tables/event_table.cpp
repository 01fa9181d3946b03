#include "viewer/ui/tables/event_table.h"

#include "viewer/ui/commands/event_columns.h"
#include "viewer/ui/widgets/paint.h"
#include "viewer/ui/widgets/visible_lanes.h"
#include "viewer/ui/widgets/widgets.h"
#include "viewer/workspace/document.h"

#include <algorithm>
#include <utility>

namespace sla::ui {

namespace {

constexpr float kHead = 24;
constexpr float kRow = 20;
constexpr std::chrono::microseconds kFilterBudget{3000};
constexpr double kPatience = 0.4;  // seconds for rows that are being fetched
constexpr double kInARow = 3;      // so long whoever had to ask for some asks for others at once

}  // namespace

void EventTable::draw(Context& context) {
    if (std::exchange(seen_filter_, rows_.filter()) != rows_.filter() ||
        std::exchange(seen_collapsed_, rows_.collapsed()) != rows_.collapsed()) {
        owes_place_ = true;
    }
    rows_.step(kFilterBudget);
    go_to_top_of_order();
    const Rect& area = context.layout.table;
    is_waiting_ = false;
    if (area.height <= 0) return;
    note_wait(context);
    fill(context.list, area, context.theme.background);
    const Rect head{area.x, area.y, area.width, context.px(kHead)};
    const float bar_width = context.px(kTableBar);
    Rect body{area.x, head.bottom(), area.width - bar_width, area.height - head.height};
    const float too_wide = too_wide_by(context, body.width);
    if (too_wide > 0) body.height -= bar_width;
    const auto row_height = context.px(kRow);
    const auto whole_rows = static_cast<std::size_t>(std::max(1.0F, std::floor(body.height / row_height)));
    follow_view(context, whole_rows);
    scroll(area, whole_rows);
    scroll_sideways(context, {area.x, body.bottom(), body.width, bar_width}, too_wide);
    const Rect bar_place{body.right(), body.y, bar_width, body.height};
    const Scrollbar bar(context, "table scroll", bar_place, static_cast<double>(first_), static_cast<double>(whole_rows),
                        static_cast<double>(rows_.size()));
    if (const auto dragged = static_cast<std::uint64_t>(bar.first); dragged != first_) {
        first_ = dragged;
        owes_lanes_ = true;
        owes_place_ = false;
    }
    if (owes_lanes_) take_lanes_along(context);
    is_waiting_ = !collect(context, whole_rows + 1) || owes_place_;
    {
        const Clip clip(context.list, body);
        const auto columns =
            table_columns({body.x - scrolled_, body.y, body.width, row_height}, context.layout.scale, table_show(context));
        float y = body.y;
        for (const TableRow& row : shown_.rows()) {
            if (draw_table_row(context, row, {body.x, y, body.width, row_height}, columns)) select_row(context, row.place);
            y += row_height;
        }
        if (shown_.rows().empty()) {
            draw_text(context.list, context.fonts.text, {body.x, body.y, body.width, std::min(body.height, context.px(56))},
                      context.theme.dim,
                      is_waiting_ || rows_.busy() ? "Looking\xE2\x80\xA6"
                      : rows_.listed()            ? "No event matches the filter."
                                                  : "Every event appears here as a row, with the time since the one before.",
                      Align::kCentre);
        }
    }
    bar.draw(context.list);
    draw_head(context, head);
}

bool EventTable::may_ask(bool are_there) {
    has_missed_ = has_missed_ || !are_there;
    return are_there || asks_at_once_;
}

// Of the frame before.
void EventTable::note_wait(const Context& context) {
    const double now = ImGui::GetTime();
    if (!std::exchange(has_missed_, false)) {
        missed_since_.reset();
    } else if (!missed_since_) {
        missed_since_ = now;
    }
    if (missed_since_ && now - *missed_since_ >= kPatience) asks_until_ = now + kInARow;
    asks_at_once_ = now < asks_until_ && context.source.are_rows_at_hand();
}

// Whoever asks for another order wants to see what comes first in it.
void EventTable::go_to_top_of_order() {
    const bool stands = rows_.by_time() || !rows_.is_in_time_order();
    if (!stands || rows_.order() == seen_order_) return;
    seen_order_ = rows_.order();
    if (!rows_.by_time()) first_ = 0;
}

// The wheel moves the rows, and the view follows the first of them: table and lanes are locked both ways.
void EventTable::scroll(const Rect& area, std::size_t whole_rows) {
    const float wheel = ImGui::GetIO().MouseWheel;
    if (wheel == 0 || ImGui::GetIO().KeyShift || !is_mouse_over(area)) return;
    const double moved = std::max(0.0, static_cast<double>(first_) - static_cast<double>(wheel) * 3);
    const std::uint64_t last = rows_.size() - std::min<std::uint64_t>(rows_.size(), whole_rows);
    first_ = std::min(static_cast<std::uint64_t>(moved), last);
    owes_lanes_ = true;
    owes_place_ = false;
}

void EventTable::take_lanes_along(Context& context) {
    context.view.set_follow(false);
    owes_lanes_ = rows_.is_in_time_order();
    if (!owes_lanes_ || !may_ask(rows_.are_here(first_, 1))) return;
    owes_lanes_ = false;
    if (const auto top = rows_.place(first_)) context.view.reveal(top->tick);
    seen_moves_ = context.view.moves();
}

// The newest rows while following; else the row of the selection or the first one in view, when either has changed.
void EventTable::follow_view(Context& context, std::size_t shown) {
    const View& view = context.view;
    const bool moved = seen_moves_ != view.moves() || owes_place_;
    owes_place_ = owes_place_ && rows_.busy();
    if (moved || view.follow()) owes_lanes_ = false;
    const store::Lane* lane = context.marks.selection ? context.marks.selection->lane : nullptr;
    if (lane != nullptr && context.tree.is_derived(*lane)) lane = nullptr;  // no row of the table: its tick alone
    const bool selection_changed = context.marks.selection != seen_selection_;
    seen_moves_ = view.moves();
    const bool known =
        !selection_changed || !context.marks.selection || may_ask(rows_.is_tick_here(context.marks.selection->tick));
    if (known) {  // else its rows are being fetched: look again in the next frame
        seen_selection_ = context.marks.selection;
    }
    const std::uint64_t rows = rows_.size();
    if (view.follow() && rows_.is_in_time_order()) {
        first_ = rows - std::min<std::uint64_t>(rows, shown);
    } else if (selection_changed && !known) {
        seen_moves_ = view.moves();
    } else if (selection_changed && context.marks.selection && (lane != nullptr || rows_.is_in_time_order())) {
        std::uint64_t row = lane != nullptr ? rows_.row_of(*lane, context.marks.selection->index) : rows;
        if (row >= rows && rows_.is_in_time_order()) row = rows_.row_at(context.marks.selection->tick);
        const bool is_there = row < rows || rows_.is_in_time_order();  // of an order the first rows may be all there are
        if (is_there && (row < first_ || row >= first_ + shown)) first_ = row - std::min<std::uint64_t>(row, shown / 2);
    } else if (moved && rows_.is_in_time_order()) {
        const std::uint64_t tick = view.target().visible().first;
        if (may_ask(rows_.is_tick_here(tick))) {
            first_ = rows_.row_at(tick);
            shown_.note_place(first_, tick);
        } else {
            owes_place_ = true;  // its rows are being fetched: look again in the next frame
        }
    }
    first_ = std::min(first_, rows - std::min<std::uint64_t>(rows, shown));
}

bool EventTable::collect(const Context& context, std::size_t count) {
    if (shown_.are(context, first_, count)) return true;
    if (!may_ask(rows_.are_here(first_, count)))
        return false;  // what was shown stays for the moment it takes to fetch the rows
    shown_.make(context, first_, count);
    return true;
}

void EventTable::select_row(Context& context, const store::RowRef& place) {
    context.marks.selection = Selection{place.lane, place.index, place.tick};
    context.marks.focus = place.lane;
    context.view.reveal(place.tick + static_cast<std::uint64_t>(context.offset_of(*place.lane)));
    scroll_to(context, *place.lane);
    seen_moves_ = context.view.moves();
    seen_selection_ = context.marks.selection;
}

void EventTable::take_steps(Context& context) {
    const int rows = std::exchange(context.document.panels.table_steps, 0);
    if (rows == 0) return;
    const std::uint64_t count = rows_.size();
    if (count == 0) return;
    const auto& selection = context.marks.selection;
    const bool from_event = selection && selection->lane != nullptr && !context.tree.is_derived(*selection->lane);
    std::uint64_t row = from_event ? rows_.row_of(*selection->lane, selection->index) : first_;
    const bool is_between = from_event && row == count && rows_.is_in_time_order();  // it is not shown, but has its place
    if (from_event && row == count) row = is_between ? rows_.row_at(selection->tick) : first_;
    if (from_event && rows < 0) row -= std::min<std::uint64_t>(row, static_cast<std::uint64_t>(-rows));
    if (from_event && rows > 0) row += static_cast<std::uint64_t>(rows) - (is_between ? 1 : 0);
    const auto place = rows_.place(std::min(row, count - 1));
    if (!place) return;
    select_row(context, *place);
    seen_selection_.reset();  // let follow_view bring it into sight
}

}  // namespace sla::ui
