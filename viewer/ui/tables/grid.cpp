#include "viewer/ui/tables/grid.h"

#include "proto/base/check.h"
#include "viewer/ui/widgets/item_rects.h"
#include "viewer/ui/widgets/paint.h"
#include "viewer/ui/widgets/widgets.h"
#include "viewer/workspace/table/list_columns.h"

#include <algorithm>
#include <utility>

namespace sla::ui {

namespace {

constexpr float kGridHead = 22;
constexpr float kGridRow = 20;
constexpr float kBar = 10;
constexpr float kPadding = 6;  // at both sides of a cell

// Styles of ImGui's that a grid has otherwise than the rest of the window, while it lives.
class GridStyle {
public:
    explicit GridStyle(const Context& context) {
        ImGui::PushStyleVar(ImGuiStyleVar_CellPadding, {context.px(kPadding), 0});
        ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
        ImGui::PushStyleVar(ImGuiStyleVar_ScrollbarSize, context.px(kBar));
        ImGui::PushFont(context.fonts.text);
    }
    ~GridStyle() {
        ImGui::PopFont();
        ImGui::PopStyleVar(3);
    }
    GridStyle(const GridStyle&) = delete;
    GridStyle& operator=(const GridStyle&) = delete;
};

void set_up_columns(const Context& context, std::span<const GridColumn> columns) {
    for (const GridColumn& column : columns) {
        const ImGuiTableColumnFlags flags =
            (column.stretch > 0 ? ImGuiTableColumnFlags_WidthStretch : ImGuiTableColumnFlags_WidthFixed) |
            (column.shown ? ImGuiTableColumnFlags_None : ImGuiTableColumnFlags_DefaultHide);
        ImGui::TableSetupColumn(column.title, flags, column.stretch > 0 ? column.stretch : context.px(column.width));
    }
    ImGui::TableSetupScrollFreeze(0, 1);
}

// The cell that ImGui is at.
Rect cell_here(float height) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    return {at.x, at.y, ImGui::GetContentRegionAvail().x, height};
}

}  // namespace

void draw_hint_text(Context& context, const Rect& place, std::string_view text) {
    const Rect line{place.x, place.y, place.width, std::min(place.height, context.px(56))};
    draw_text(context.list, context.fonts.text, line.inset(context.px(12), 0), context.theme.dim, text, Align::kCentre);
}

std::optional<std::size_t> Grid::draw(Context& context, const char* id, const Rect& place,
                                      std::span<const GridColumn> columns, std::size_t rows, const Fill& fill_cells,
                                      std::optional<std::size_t> marked) {
    SLA_CHECK(columns.size() <= workspace::kMaxListColumns);
    const GridStyle style(context);
    id_ = id;
    right_clicked_.reset();
    std::optional<std::size_t> clicked;
    ImGui::SetCursorScreenPos(place.min());
    ImGui::PushID(static_cast<int>(context.px(100)));  // widths are kept in pixels: others at another scale
    constexpr ImGuiTableFlags kFlags = ImGuiTableFlags_Resizable | ImGuiTableFlags_Reorderable | ImGuiTableFlags_Hideable |
                                       ImGuiTableFlags_RowBg | ImGuiTableFlags_ScrollY | ImGuiTableFlags_PadOuterX |
                                       ImGuiTableFlags_BordersInnerV | ImGuiTableFlags_NoBordersInBodyUntilResize;
    if (ImGui::BeginTable(id, static_cast<int>(columns.size()), kFlags, place.size())) {
        set_up_columns(context, columns);
        draw_head(context, columns);
        const float height = context.px(kGridRow);
        scroll_to_wanted(height, place.height - context.px(kGridHead));
        ImGuiListClipper clipper;
        clipper.Begin(static_cast<int>(rows), height);
        while (clipper.Step()) {
            for (auto row = static_cast<std::size_t>(clipper.DisplayStart);
                 row < static_cast<std::size_t>(clipper.DisplayEnd); ++row) {
                cells_.clear();
                fill_cells(row, cells_);
                if (draw_row(context, columns, row, marked == row)) clicked = row;
            }
        }
        ImGui::EndTable();
    }
    ImGui::PopID();
    return clicked;
}

void Grid::scroll_to_wanted(float row_height, float shown) {
    if (!wanted_) return;
    const float top = static_cast<float>(*wanted_) * row_height;
    wanted_.reset();
    const float first = ImGui::GetScrollY();
    if (top >= first && top + row_height <= first + shown) return;
    ImGui::SetScrollY(std::max(0.0F, top - std::floor(shown / row_height / 2) * row_height));
}

bool Grid::draw_row(Context& context, std::span<const GridColumn> columns, std::size_t row, bool is_marked) {
    const float height = context.px(kGridRow);
    ImGui::TableNextRow(ImGuiTableRowFlags_None, height);
    ImGui::PushID(static_cast<int>(row));
    bool clicked = false;
    bool is_first = true;  // of those that are shown: it takes the mouse for all
    for (std::size_t i = 0; i < std::min(columns.size(), cells_.size()); ++i) {
        if (!ImGui::TableSetColumnIndex(static_cast<int>(i))) continue;
        const Rect cell = cell_here(height);
        if (std::exchange(is_first, false)) {
            clicked = ImGui::Selectable("##row", is_marked, ImGuiSelectableFlags_SpanAllColumns, {0, height});
            note_item(id_, row);
            if (ImGui::IsItemClicked(1)) right_clicked_ = row;
        }
        ImDrawList& list = *ImGui::GetWindowDrawList();
        const ImU32 colour = cells_[i].colour != 0 ? cells_[i].colour : context.theme.text;
        const bool cut = columns[i].number
                             ? draw_quantity(list, context.fonts.number, cell, colour, context.theme.dim, cells_[i].text)
                             : draw_text(list, context.fonts.text, cell, colour, cells_[i].text);
        if (cut && ImGui::IsWindowHovered() && cell.contains(ImGui::GetIO().MousePos)) tooltip(context, cells_[i].text);
    }
    ImGui::PopID();
    return clicked;
}

std::string text_of(std::span<const GridColumn> columns, std::size_t rows, const Grid::Fill& fill_cells) {
    std::string text;
    for (const GridColumn& column : columns) text += std::string(text.empty() ? "" : "\t") + column.title;
    std::vector<GridCell> cells;
    for (std::size_t row = 0; row < rows; ++row) {
        cells.clear();
        fill_cells(row, cells);
        for (std::size_t i = 0; i < cells.size(); ++i) text += (i == 0 ? "\n" : "\t") + cells[i].text;
    }
    return text + "\n";
}

void draw_column_head(Context& context, const Rect& place, const ColumnHead& head) {
    const ImU32 colour = head.ordered ? context.theme.accent : head.lit ? context.theme.text : context.theme.dim;
    draw_text(context.list, context.fonts.small, place, colour, head.title, head.number ? Align::kRight : Align::kLeft);
    if (!head.ordered) return;
    const float half = context.px(3.5F);
    const float words = text_width(context.fonts.small, head.title) + half * 2;
    const float x = head.number ? place.right() - words : place.x + words;
    const float y = place.y + place.height / 2;
    const float up = head.descending ? -half : half;  // the point: down when the greatest comes first
    context.list.AddTriangleFilled({x - half, y + up / 2}, {x + half, y + up / 2}, {x, y - up / 2}, colour);
}

void Grid::draw_head(Context& context, std::span<const GridColumn> columns) {
    const float height = context.px(kGridHead);
    ImGui::TableNextRow(ImGuiTableRowFlags_Headers, height);
    for (std::size_t i = 0; i < columns.size(); ++i) {
        if (!ImGui::TableSetColumnIndex(static_cast<int>(i))) continue;
        const GridColumn& column = columns[i];
        const Rect cell = cell_here(height);
        ImGui::PushID(static_cast<int>(i));
        ImGui::TableHeader("##head");
        note_item(id_, column.title);
        const bool hovered = ImGui::IsItemHovered();
        if (column.sorts && hovered && ImGui::IsMouseReleased(0) && !was_dragged())
            order_ = turned(order_, i, true);  // the greatest first
        ImGui::PopID();
        const bool ordered = order_ && order_->column == i;
        Context head = context.on(*ImGui::GetWindowDrawList());
        draw_column_head(head, cell,
                         {column.title, column.number, hovered && column.sorts, ordered, ordered && order_->descending});
        if (hovered && *column.tooltip != '\0') {
            tooltip(context, std::string(column.tooltip) + (column.sorts ? "\nclick: in this order; " : "\n") +
                                 "drag: to another place; right click: which columns there are");
        }
    }
}

}  // namespace sla::ui
