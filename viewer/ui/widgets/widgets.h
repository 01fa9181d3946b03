// Buttons, splitters and scrollbars in our own look, on ImGui's hovering and clicking.
#pragma once

#include "viewer/ui/widgets/context.h"
#include "viewer/ui/widgets/icons.h"

#include <cstdint>
#include <string_view>

namespace sla::ui {

struct ButtonStyle {
    Icon icon = Icon::kNone;
    std::string_view label;
    const char* tooltip = "";
    bool active = false;
    bool enabled = true;
    ImU32 colour = 0;  // of icon and label; 0: text
};

// A flat button that fills its place; true when clicked.
bool button(Context& context, const char* id, const Rect& place, const ButtonStyle& look);
[[nodiscard]] float button_width(const Context& context, const ButtonStyle& look);
// A small box that is filled while what it says is so, and its words. A click runs the action that has the toggle's id.
struct ToggleStyle {
    std::string_view label;
    const char* tooltip = "";
    bool on = false;
};
// At the left of `space`; returns where the next one may begin.
float toggle(Context& context, const char* action, const Rect& space, const ToggleStyle& look);
[[nodiscard]] float toggle_width(const Context& context, const ToggleStyle& look);
// Text in a small box, in our words; none while something is dragged. Below the item that was drawn last, where the mouse is on
// that, so that what stands beside it is not covered; else at the mouse.
void tooltip(const Context& context, std::string_view text);
// The same beside the part of the window that is being drawn: fields below it stay in sight.
void tooltip_beside(const Context& context, std::string_view text);
// Makes the place react to the mouse; true while it is hovered.
bool mouse_area(const char* id, const Rect& place);

// The mouse is there, and no menu, dialog or help lies over it. Of places in the window that is being drawn.
bool is_mouse_over(const Rect& place);

// The mouse moved since the left button, which was let go of in this frame, was pressed.
bool was_dragged();

enum class Direction { kAcross, kUpDown };
// A line to drag; returns how far it was dragged in this frame, in pixels.
float splitter(Context& context, const char* id, const Rect& place, Direction direction);

// A vertical scrollbar over `total` units of which `shown` fit, from `first`. Exact for any number of units, as pixels would
// not be. Made before what it lies over, so that it gets the mouse; drawn after.
struct Scrollbar {
    double first = 0;  // where the person dragged it
    Rect thumb;
    ImU32 colour = 0;

    Scrollbar(Context& context, const char* id, const Rect& place, double from, double shown, double total);
    void draw(ImDrawList& list) const;
};

// The dim capital heading of a panel's section.
void heading(Context& context, const Rect& place, std::string_view text);

}  // namespace sla::ui
