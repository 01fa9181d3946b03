// The heads of the event table's columns: their order, their choice, and what is scrolled sideways.
#include "viewer/ui/commands/event_columns.h"
#include "viewer/ui/tables/event_table.h"
#include "viewer/ui/tables/grid.h"
#include "viewer/ui/widgets/forms.h"
#include "viewer/ui/widgets/item_rects.h"
#include "viewer/ui/widgets/paint.h"
#include "viewer/ui/widgets/widgets.h"
#include "viewer/workspace/document.h"

#include <algorithm>
#include <utility>

namespace sla::ui {

namespace {

std::optional<std::size_t> column_at(const std::array<Rect, kTableColumns>& cells, float x) {
    for (std::size_t i = 0; i < kTableColumns; ++i) {
        if (x >= cells[i].x && x < cells[i].right()) return i;
    }
    return std::nullopt;
}

}  // namespace

void EventTable::draw_head(Context& context, const Rect& place) {
    fill(context.list, place, context.theme.panel);
    const Rect row{place.x, place.y, place.width - context.px(kTableBar), place.height};
    const auto cells =
        table_columns({row.x - scrolled_, row.y, row.width, row.height}, context.layout.scale, table_show(context));
    const Clip clip(context.list, place);
    const std::optional<std::size_t> moved = std::exchange(moved_column_, std::nullopt);
    for (std::size_t i = 0; i < kTableColumns; ++i) {
        const float left = std::max(cells[i].x, row.x);
        const float right = std::min(cells[i].right(), row.right());
        if (right <= left) continue;
        ImGui::PushID(kTableColumnInfo[i].id);
        drag_edge(context, i, cells[i], row);
        draw_title(context, i, cells[i], {left, row.y, right - left, row.height});
        ImGui::PopID();
    }
    const std::optional<std::size_t> still = moved_column_;
    if (still) show_new_place(context, *still, cells);
    if (moved && !still) move_to_mouse(context, *moved, cells);
    line_below(context.list, {place.x, place.y, place.width, context.hair()}, context.theme.line, context.hair());
    line_below(context.list, place, context.theme.line, context.hair());
    if (place.contains(ImGui::GetIO().MousePos) && ImGui::IsMouseClicked(1) &&
        ImGui::IsWindowHovered(ImGuiHoveredFlags_AllowWhenBlockedByActiveItem)) {
        ImGui::OpenPopup("table columns");
    }
    draw_columns_menu(context);
}

// A click orders the rows by it, a drag takes it to another place.
void EventTable::draw_title(Context& context, std::size_t i, const Rect& cell, const Rect& seen) {
    const TableColumnInfo& look = kTableColumnInfo[i];
    const bool hovered = mouse_area("head", seen);
    note_item("head", look.id);
    if (ImGui::IsItemActive() && ImGui::IsMouseDragging(0)) moved_column_ = i;
    const bool clicked = hovered && ImGui::IsItemDeactivated() && ImGui::IsMouseReleased(0) && !was_dragged();
    if (look.sorts && clicked) rows_.turn_order(static_cast<TableColumn>(i));
    const bool ordered = !rows_.is_in_time_order() && rows_.order().column == i;
    draw_column_head(context, cell,
                     {column_title(context, i), look.number, hovered && look.sorts, ordered, rows_.order().descending});
    if (!hovered) return;
    const auto question = question_of_column(i);
    const KeptQuestion* kept = question ? context.document.kept_answers->column(*question) : nullptr;
    tooltip(context, (kept == nullptr ? std::string(look.tooltip) : kept->text) +
                         (look.sorts ? "\nclick: in this order; " : "\n") +
                         "drag: to another place; right click: which columns there are");
}

// The gap behind a column is dragged to make it wider; a double click lets it be as there is space again.
void EventTable::drag_edge(Context& context, std::size_t i, const Rect& cell, const Rect& row) {
    const Rect edge{cell.right(), row.y, std::min(context.px(kTableGap), row.right() - cell.right()), row.height};
    const float moved = splitter(context, "edge", edge, Direction::kAcross);
    note_item("edge", kTableColumnInfo[i].id);
    float& width = context.settings.table_widths[i];
    if (ImGui::IsItemHovered()) tooltip(context, "Drag: how wide; double click: as there is room");
    if (ImGui::IsItemHovered() && ImGui::IsMouseDoubleClicked(0)) {
        width = 0;
    } else if (moved != 0) {
        const float wanted = (ImGui::GetIO().MousePos.x - edge.width / 2 - cell.x) / context.layout.scale;
        width = std::round(std::clamp(wanted, kMinColumnWidth, kMaxColumnWidth));
    }
}

void EventTable::show_new_place(Context& context, std::size_t moved, const std::array<Rect, kTableColumns>& cells) {
    const auto other = column_at(cells, ImGui::GetIO().MousePos.x);
    if (!other || *other == moved) return;
    const Rect& at = cells[*other];
    const float gap = context.px(kTableGap) / 2;
    const float x = cells[moved].x < at.x ? at.right() + gap : at.x - gap;
    fill(*ImGui::GetForegroundDrawList(), {x, at.y, context.hair() * 2, at.height}, context.theme.accent);
}

void EventTable::move_to_mouse(Context& context, std::size_t moved, const std::array<Rect, kTableColumns>& cells) {
    if (const auto other = column_at(cells, ImGui::GetIO().MousePos.x))
        move_column(context.settings.table_places, moved, *other);
}

void EventTable::draw_columns_menu(Context& context) const {
    if (!begin_popup("table columns")) return;
    form_heading(context, "COLUMNS");
    const TableShow show = table_show(context);
    for (std::size_t i = 0; i < kTableColumns; ++i) {
        if (!show.can_have(i)) continue;
        bool there = has_column(context, i);
        if (ImGui::Checkbox(column_title(context, i), &there)) choose_column(context, i, there);
        note_item("choose", kTableColumnInfo[i].id);
    }
    if (form_button(context, "As there is room", are_columns_arranged(context))) arrange_columns_by_space(context);
    ImGui::EndPopup();
}

float EventTable::too_wide_by(const Context& context, float width) {
    const float scale = context.layout.scale;
    return std::max(0.0F, std::ceil(table_width(width / scale, table_show(context)) * scale - width));
}

// By the bar below the rows, or by Shift and the wheel.
void EventTable::scroll_sideways(const Context& context, const Rect& bar, float too_wide) {
    if (too_wide > 0) {
        const float shown = bar.width / (bar.width + too_wide);
        const bool hovered = mouse_area("table sideways", bar);
        const bool active = ImGui::IsItemActive();
        const ImGuiIO& io = ImGui::GetIO();
        if (active) scrolled_ += io.MouseDelta.x / shown;
        if (is_mouse_over(context.layout.table)) {
            scrolled_ -= ((io.KeyShift ? io.MouseWheel : 0.0F) + io.MouseWheelH) * context.px(40);
        }
        scrolled_ = std::round(std::clamp(scrolled_, 0.0F, too_wide));
        const Rect thumb{bar.x + scrolled_ * shown, bar.y, bar.width * shown, bar.height};
        fill(context.list, thumb.inset(0, context.px(2)),
             faded(context.theme.dim, active    ? 0.75F
                                      : hovered ? 0.55F
                                                : 0.35F),
             context.px(3));
    } else {
        scrolled_ = 0;
    }
}

}  // namespace sla::ui
