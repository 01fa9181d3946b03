// The places that are kept under a digit, as rows: there by a click on the digit, the note typed in its row, deleted at its end.
#pragma once

#include "viewer/ui/context.h"

#include <optional>

namespace sla::ui {

class BookmarkList {
public:
    void draw(Context& context, const Rect& place, const Rect& strip);
    // The note of that bookmark takes the keyboard in the next frame.
    void write(int digit) { writing_ = digit; }

private:
    // False when it was deleted.
    bool draw_row(Context& context, int digit, Bookmark& mark);

    std::optional<int> writing_;
};

}  // namespace sla::ui
