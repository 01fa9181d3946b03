// A list with columns for the lower part of the window: ImGui's table in our look, whose columns are dragged wider and to other
// places and hidden by their heads' menu. Cells are asked for when they are seen, so a list may have a million rows. What
// people made of the columns is kept: viewer/ui/app/kept_columns.h. Owner: the window's thread.
#pragma once

#include "viewer/ui/widgets/context.h"
#include "viewer/workspace/table/column_order.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sla::ui {

struct GridColumn {
    const char* title;
    float width;    // at scale 1; the least for those that stretch
    float stretch;  // share of what is left
    bool number;    // aligned right, in the numbers' font
    const char* tooltip = "";
    bool sorts = false;  // a click on its head puts the rows in its order
    bool shown = true;   // as long as nobody chose otherwise
};

// The head of one column of any table.
struct ColumnHead {
    const char* title;
    bool number;      // aligned right
    bool lit;         // the mouse is over it, and a click does something
    bool ordered;     // the rows are in its order
    bool descending;  // the greatest first
};
void draw_column_head(Context& context, const Rect& place, const ColumnHead& head);

struct GridCell {
    std::string text;
    ImU32 colour = 0;  // 0: text
};

class Grid {
public:
    using Fill = std::function<void(std::size_t row, std::vector<GridCell>& cells)>;

    // `id` names the list in what is kept; of columns there are at most workspace::kMaxListColumns. The row that was clicked in
    // this frame. `marked` is shown as selected.
    std::optional<std::size_t> draw(Context& context, const char* id, const Rect& place, std::span<const GridColumn> columns,
                                    std::size_t rows, const Fill& fill_cells,
                                    std::optional<std::size_t> marked = std::nullopt);
    // Scrolls until the row can be seen.
    void reveal(std::size_t row) { wanted_ = row; }
    // Which order the person wants the rows in; nothing: as they are. Whoever fills the cells keeps to it.
    [[nodiscard]] const std::optional<ColumnOrder>& order() const { return order_; }
    // The row under the mouse was clicked with the right button.
    [[nodiscard]] std::optional<std::size_t> right_clicked() const { return right_clicked_; }

private:
    void draw_head(Context& context, std::span<const GridColumn> columns);
    // Whether it was clicked.
    bool draw_row(Context& context, std::span<const GridColumn> columns, std::size_t row, bool is_marked);
    void scroll_to_wanted(float row_height, float shown);

    const char* id_ = "";
    std::optional<std::size_t> wanted_;
    std::optional<ColumnOrder> order_;
    std::optional<std::size_t> right_clicked_;
    std::vector<GridCell> cells_;
};

// Heads and rows, columns parted by tabs.
std::string text_of(std::span<const GridColumn> columns, std::size_t rows, const Grid::Fill& fill_cells);

// What an empty list says in its place.
void draw_hint_text(Context& context, const Rect& place, std::string_view text);

}  // namespace sla::ui
