// The heads of the event table's columns: their order, their choice, and what is scrolled sideways.
#include "viewer/ui/commands/event_columns.h"
#include "viewer/ui/tables/event_table.h"
#include "viewer/ui/tables/grid.h"
#include "viewer/ui/widgets/forms.h"
#include "viewer/ui/widgets/paint.h"
#include "viewer/ui/widgets/widgets.h"

#include <algorithm>

namespace sla::ui {

void EventTable::draw_head(Context& context, const Rect& place) {
    fill(context.list, place, context.theme.panel);
    const Rect row{place.x, place.y, place.width - context.px(kTableBar), place.height};
    const auto cells =
        table_columns({row.x - scrolled_, row.y, row.width, row.height}, context.layout.scale, table_show(context));
    const Clip clip(context.list, place);
    for (std::size_t i = 0; i < kTableColumns; ++i) {
        const float left = std::max(cells[i].x, row.x);
        const float right = std::min(cells[i].right(), row.right());
        if (right <= left) continue;
        const TableColumnInfo& look = kTableColumnInfo[i];
        const auto column = static_cast<TableColumn>(i);
        ImGui::PushID(static_cast<int>(i));
        const bool hovered = mouse_area("head", {left, row.y, right - left, row.height});
        if (look.sorts && ImGui::IsItemClicked()) rows_.turn_order(column);
        ImGui::PopID();
        const bool ordered = !rows_.is_in_time_order() && rows_.order().column == i;
        draw_column_head(context, cells[i],
                         {look.title, look.number, hovered && look.sorts, ordered, rows_.order().descending});
        if (!hovered) continue;
        tooltip(context, std::string(look.tooltip) + (look.sorts ? "\nclick: in this order; " : "\n") +
                             "right click: which columns there are");
    }
    line_below(context.list, {place.x, place.y, place.width, context.hair()}, context.theme.line, context.hair());
    line_below(context.list, place, context.theme.line, context.hair());
    if (place.contains(ImGui::GetIO().MousePos) && ImGui::IsMouseClicked(1) &&
        ImGui::IsWindowHovered(ImGuiHoveredFlags_AllowWhenBlockedByActiveItem)) {
        ImGui::OpenPopup("table columns");
    }
    draw_columns_menu(context);
}

void EventTable::draw_columns_menu(Context& context) const {
    if (!begin_popup("table columns")) return;
    form_heading(context, "COLUMNS");
    const TableShow show = table_show(context);
    ColumnChoices& choices = context.settings.table_columns;
    for (std::size_t i = 0; i < kTableColumns; ++i) {
        if (!show.can_have(i)) continue;
        bool there = has_column(context, i);
        if (ImGui::Checkbox(kTableColumnInfo[i].title, &there)) choose_column(context, i, there);
    }
    if (form_button(context, "As there is room", choices != ColumnChoices{})) choices = {};
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
        if (context.layout.table.contains(io.MousePos)) {
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
