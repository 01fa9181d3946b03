// Named markers and kept ranges as a list, and beside it every difference between two of them.
#pragma once

#include "viewer/ui/grid.h"

namespace sla::ui {

class MarkerList {
public:
    void draw(Context& context, const Rect& place, const Rect& strip);

private:
    struct Line {
        std::string name;
        std::uint64_t tick = 0;
        ImU32 colour = 0;
        enum class What { kCursor, kMarker, kRange } what = What::kMarker;
        std::size_t at = 0;  // of the notes' markers or ranges
        std::uint64_t until = 0;
    };
    std::vector<Line> lines_of(const Context& context) const;
    void draw_list(Context& context, const Rect& place, const std::vector<Line>& lines);
    void draw_differences(Context& context, const Rect& place, const std::vector<Line>& lines);
    void draw_menu(Context& context);

    Grid list_;
    Grid differences_;
    std::size_t chosen_ = ~std::size_t{0};
    Line menu_line_;
    std::string name_;
};

}  // namespace sla::ui
