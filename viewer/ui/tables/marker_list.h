// Named markers and kept ranges as a list, and beside it every difference between two of them.
#pragma once

#include "viewer/ui/commands/markers.h"
#include "viewer/ui/tables/grid.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sla::ui {

class MarkerList {
public:
    void draw(Context& context, const Rect& place, const Rect& strip);
    // Of the differences: the first column in sight, and how many are.
    [[nodiscard]] std::pair<std::size_t, std::size_t> columns_in_sight() const { return {first_column_, columns_}; }

private:
    void reveal(const std::vector<MarkerLine>& lines, const MarkerRef& chosen);
    void draw_list(Context& context, const Rect& place, const std::vector<MarkerLine>& lines);
    void draw_differences(Context& context, const Rect& place, const std::vector<MarkerLine>& lines);
    void draw_columns_choice(Context& context, const Rect& strip, std::size_t lines);
    // A click goes to the row's marker, a right one opens its menu; wherever the row stands.
    void answer(Context& context, const std::vector<MarkerLine>& lines, std::optional<std::size_t> clicked,
                std::optional<std::size_t> right_clicked);
    void draw_menu(Context& context, const Rect& place);

    Grid list_;
    Grid differences_;
    std::size_t first_column_ = 0;  // of the differences that is shown
    std::size_t columns_ = 0;       // that have space
    MarkerLine menu_line_;
    std::string name_;
};

}  // namespace sla::ui
