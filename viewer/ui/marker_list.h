// Named markers and kept ranges as a list, and beside it every difference between two of them.
#pragma once

#include "viewer/ui/grid.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sla::ui {

// One place of the list: a cursor, a marker or a kept range.
struct MarkerLine {
    enum class What { kCursor, kMarker, kRange };
    std::string name;
    std::uint64_t tick = 0;
    ImU32 colour = 0;
    What what = What::kMarker;
    std::size_t at = 0;       // of the cursors, the notes' markers or ranges
    std::uint64_t until = 0;  // of a range

    [[nodiscard]] bool is(const MarkerLine& other) const { return what == other.what && at == other.at; }
};
// In the order of time.
std::vector<MarkerLine> marker_lines(const Context& context);

class MarkerList {
public:
    void draw(Context& context, const Rect& place, const Rect& strip);
    // Goes there and chooses it; its column is brought into sight.
    void go_to(Context& context, const MarkerLine& line);
    // To the one after, or before, what is in the middle of the view.
    void step(Context& context, bool forward);
    // What was chosen last, if it is still there and can be deleted and renamed.
    [[nodiscard]] std::optional<MarkerLine> chosen(const Context& context) const;
    // Its name's field opens with the next frame.
    void rename(const MarkerLine& line) { renamed_ = line; }
    // Of the differences: the first column in sight, and how many are.
    [[nodiscard]] std::pair<std::size_t, std::size_t> columns_in_sight() const { return {first_column_, columns_}; }
    static void remove(Context& context, const MarkerLine& line);

private:
    void draw_list(Context& context, const Rect& place, const std::vector<MarkerLine>& lines);
    void draw_differences(Context& context, const Rect& place, const std::vector<MarkerLine>& lines);
    void draw_columns_choice(Context& context, const Rect& strip, std::size_t lines);
    // A click goes to the row's marker, a right one opens its menu; wherever the row stands.
    void answer(Context& context, const std::vector<MarkerLine>& lines, std::optional<std::size_t> clicked,
                std::optional<std::size_t> right_clicked);
    void draw_menu(Context& context, const Rect& place);

    Grid list_;
    Grid differences_;
    std::optional<MarkerLine> chosen_;
    std::size_t first_column_ = 0;  // of the differences that is shown
    std::size_t columns_ = 0;       // that have room
    std::optional<MarkerLine> renamed_;
    MarkerLine menu_line_;
    std::string name_;
};

}  // namespace sla::ui
