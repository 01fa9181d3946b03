// The bar at the top: menu, source, run, trigger, fit, follow, losses; search and panels at the right.
#pragma once

#include "viewer/ui/app/search_field.h"
#include "viewer/ui/widgets/context.h"

namespace sla::ui {

class Toolbar {
public:
    void draw(Context& context);
    // The search field takes the keyboard in the next frame.
    void focus_search() { search_.focus(); }

private:
    SearchField search_;
};

}  // namespace sla::ui
