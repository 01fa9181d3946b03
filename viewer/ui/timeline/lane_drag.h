// A lane's name, or a head, that is dragged in the column of names:
//
//   among its like             it comes to stand before the row it is dropped on
//   below the last row         it comes to stand behind the last of its like
//   a lane onto a person's own group (its head or a lane in it)      it joins the group
//   a lane of such a group onto any other row                        it goes back to where its name puts it
#pragma once

#include "viewer/ui/widgets/visible_lanes.h"

#include <optional>
#include <string>

namespace sla::ui {

class LaneDrag {
public:
    // Once a frame, after the names were drawn.
    void step(Context& context);
    [[nodiscard]] bool active() const { return !dragged_.empty(); }
    // That row moves with the mouse.
    [[nodiscard]] bool carries(const std::string& key) const { return moved_ && dragged_ == key; }

private:
    // Where the row would go if it were dropped now.
    struct Target {
        std::optional<std::string> group;  // another group, by name; "" none of the person's own
        std::string before;                // the key of the next of its like; "": behind the last
        float line = -1;                   // where the mark is drawn; above the names: nowhere
    };
    void begin(const Context& context);
    [[nodiscard]] const timeline::TreeRow* dragged(const Context& context) const;
    // `under`: the row below the mouse; null: the mouse is below the last one.
    [[nodiscard]] static Target target(const Context& context, const timeline::TreeRow& row, const VisibleRow* under);
    static void show(Context& context, const Target& target, const VisibleRow* under);
    static void drop(Context& context, const timeline::TreeRow& row, const Target& target);

    std::string dragged_;  // key of the row that is being moved
    float pressed_y_ = 0;
    bool moved_ = false;
};

}  // namespace sla::ui
