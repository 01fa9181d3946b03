#include "viewer/ui/tables/grid.h"

#include "viewer/ui/widgets/paint.h"
#include "viewer/ui/widgets/widgets.h"

#include <algorithm>

namespace sla::ui {

namespace {

constexpr float kGridHead = 22;
constexpr float kGridRow = 20;
constexpr float kBar = 10;
constexpr float kGap = 12;

std::vector<Rect> cells_of(const Context& context, const Rect& row, std::span<const GridColumn> columns) {
    const float scale = context.layout.scale;
    float fixed = kGap;
    float stretches = 0;
    for (const GridColumn& column : columns) {
        fixed += column.width + kGap;
        stretches += column.stretch;
    }
    const float spare = std::max(0.0F, row.width / scale - fixed);
    std::vector<Rect> cells;
    float x = kGap;
    for (const GridColumn& column : columns) {
        const float width = column.width + (stretches > 0 ? spare * column.stretch / stretches : 0);
        cells.push_back({row.x + std::round(x * scale), row.y, std::round(width * scale), row.height});
        x += width + kGap;
    }
    return cells;
}

}  // namespace

void draw_hint_text(Context& context, const Rect& place, std::string_view text) {
    const Rect line{place.x, place.y, place.width, std::min(place.height, context.px(56))};
    draw_text(context.list, context.fonts.text, line.inset(context.px(12), 0), context.theme.dim, text, Align::kCentre);
}

std::optional<std::size_t> Grid::draw(Context& context, const Rect& place, std::span<const GridColumn> columns,
                                      std::size_t rows, const Fill& fill_cells, std::optional<std::size_t> marked) {
    const Rect head{place.x, place.y, place.width, context.px(kGridHead)};
    const Rect body{place.x, head.bottom(), place.width - context.px(kBar), place.bottom() - head.bottom()};
    const float height = context.px(kGridRow);
    const double shown = std::max(1.0, std::floor(static_cast<double>(body.height / height)));
    if (place.contains(ImGui::GetIO().MousePos)) first_ -= static_cast<double>(ImGui::GetIO().MouseWheel) * 3;
    if (wanted_) {
        const auto row = static_cast<double>(*wanted_);
        if (row < first_ || row >= first_ + shown) first_ = row - std::floor(shown / 2);
        wanted_.reset();
    }
    const Rect bar_place{body.right(), body.y, context.px(kBar), body.height};
    const Scrollbar bar(context, columns[0].title, bar_place, first_, shown, static_cast<double>(rows));
    first_ = bar.first;
    right_clicked_.reset();
    std::optional<std::size_t> clicked;
    {
        const Clip clip(context.list, body);
        float y = body.y;
        for (auto row = static_cast<std::size_t>(first_); row < rows && y < body.bottom(); ++row, y += height) {
            const Rect line{body.x, y, body.width, std::min(height, body.bottom() - y)};
            ImGui::PushID(static_cast<int>(row & 0x7FFFFFFFU));
            const bool hovered = mouse_area(columns[0].title, line);
            if (ImGui::IsItemClicked(0)) clicked = row;
            if (ImGui::IsItemClicked(1)) right_clicked_ = row;
            ImGui::PopID();
            if (row % 2 == 1) fill(context.list, {line.x, y, line.width, height}, context.theme.stripe);
            if (marked == row) fill(context.list, {line.x, y, line.width, height}, context.theme.selection);
            if (hovered) fill(context.list, {line.x, y, line.width, height}, faded(context.theme.text, 0.06F));
            cells_.clear();
            fill_cells(row, cells_);
            const auto places = cells_of(context, {body.x, y, body.width, height}, columns);
            for (std::size_t i = 0; i < std::min(places.size(), cells_.size()); ++i) {
                const ImU32 colour = cells_[i].colour != 0 ? cells_[i].colour : context.theme.text;
                bool cut = false;
                if (columns[i].number) {
                    draw_quantity(context.list, context.fonts.number, places[i], colour, context.theme.dim, cells_[i].text);
                } else {
                    cut = draw_text(context.list, context.fonts.text, places[i], colour, cells_[i].text);
                }
                if (hovered && cut && places[i].contains(ImGui::GetIO().MousePos)) tooltip(context, cells_[i].text);
            }
        }
    }
    bar.draw(context.list);
    draw_head(context, head, columns, cells_of(context, {body.x, head.y, body.width, head.height}, columns));
    return clicked;
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

void Grid::draw_head(Context& context, const Rect& place, std::span<const GridColumn> columns, std::span<const Rect> cells) {
    fill(context.list, place, context.theme.panel);
    for (std::size_t i = 0; i < columns.size(); ++i) {
        const GridColumn& column = columns[i];
        ImGui::PushID(static_cast<int>(i));
        const bool hovered = mouse_area("grid head", cells[i]);
        if (column.sorts && ImGui::IsItemClicked()) order_ = turned(order_, i, true);  // the greatest first
        ImGui::PopID();
        const bool ordered = order_ && order_->column == i;
        draw_column_head(context, cells[i],
                         {column.title, column.number, hovered && column.sorts, ordered, ordered && order_->descending});
        if (hovered && *column.tooltip != '\0') {
            tooltip(context, column.sorts ? std::string(column.tooltip) + "\nclick: in this order" : column.tooltip);
        }
    }
    line_below(context.list, place, context.theme.line, context.hair());
}

}  // namespace sla::ui
