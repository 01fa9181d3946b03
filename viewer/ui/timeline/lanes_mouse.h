// What the mouse does over lanes and ruler (preset "logic analyzer"; in "profiler" a left drag measures):
//
//   wheel          zoom at the pointer (Ctrl finer, Shift sideways)     left click      focus the lane, select its event
//   left drag      pan, and scroll the lanes                            Shift+left drag measure: A where pressed, B follows
//   right drag     pan; a right click opens the lane's menu             middle drag     zoom to the range
//   double click   ruler: fit all; lane: the interval under the pointer drag A or B     move that cursor
//   on the ruler   a drag of a marker or of t = 0 moves it
//
// Cursors snap to edges within 6 pixels; Alt suspends that. Owner: the window's thread.
#pragma once

#include "viewer/timeline/snap.h"
#include "viewer/ui/widgets/context.h"

namespace sla::ui {

class LanesMouse {
public:
    // Call where lanes and ruler are laid out, before they are drawn.
    void update(Context& context);
    // Call after they are drawn: the range being chosen.
    void draw(Context& context) const;

private:
    enum class Drag { kNone, kPan, kMeasure, kZoomRange, kCursor, kMarker };

    void press(Context& context);
    [[nodiscard]] Drag drag_from(const Context& context, ImVec2 mouse);
    void drag(Context& context);
    void release(Context& context);
    void wheel(Context& context) const;
    void double_click(Context& context) const;
    void select(Context& context) const;

    Drag drag_ = Drag::kNone;
    int button_ = 0;
    ImVec2 start_{0, 0};
    CursorName dragged_ = CursorName::kA;
    std::size_t dragged_marker_ = 0;  // of the notes; behind the last one: t = 0
    bool moved_ = false;
};

}  // namespace sla::ui
