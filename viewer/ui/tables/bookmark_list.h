// The places that are kept under a digit, as rows: there by a click on the digit, the note typed in its row, deleted at its
// end.
#pragma once

#include "viewer/ui/widgets/context.h"

namespace sla::ui {

class BookmarkList {
public:
    void draw(Context& context, const Rect& place, const Rect& strip);

private:
    // False when it was deleted.
    static bool draw_row(Context& context, int digit, Bookmark& mark);
};

}  // namespace sla::ui
