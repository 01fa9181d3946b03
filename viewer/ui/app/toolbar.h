// The bar at the top: menu, source, run, trigger, fit, follow, losses; search and panels at the right.
#pragma once

#include "viewer/ui/widgets/context.h"

#include <string>

namespace sla::ui {

class Toolbar {
public:
    void draw(Context& context);
    // The search field takes the keyboard in the next frame.
    void focus_search() { focus_search_ = true; }

private:
    void draw_search(Context& context, const Rect& place);

    std::string text_;
    const Search* searched_ = nullptr;  // whose text stands in the field
    bool focus_search_ = false;
    bool going_ = false;  // the first hit is to be shown
};

}  // namespace sla::ui
