// The list of mouse actions and keys that work.
#pragma once

#include "viewer/ui/widgets/context.h"

namespace sla::ui {

class HelpOverlay {
public:
    // Draws it over the lanes; true when the person closed it. In a small window it scrolls.
    bool draw(Context& context);

private:
    double scrolled_ = 0;  // pixels
};

}  // namespace sla::ui
