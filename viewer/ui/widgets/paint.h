// Small strokes that every panel uses: text that fits its place, hatching, dashes.
#pragma once

#include "viewer/ui/widgets/layout.h"

#include <imgui.h>

#include <string_view>

namespace sla::ui {

enum class Align { kLeft, kCentre, kRight };

[[nodiscard]] float text_width(const ImFont* font, std::string_view text);

// One line, vertically centred in the place, shortened with an ellipsis when too long. True when it was shortened.
bool draw_text(ImDrawList& list, const ImFont* font, const Rect& place, ImU32 colour, std::string_view text,
               Align align = Align::kLeft);
// A number with a dim unit behind it: the text after the last space is the unit. "11.104 µs"
bool draw_quantity(ImDrawList& list, const ImFont* font, const Rect& place, ImU32 colour, ImU32 unit_colour,
                   std::string_view text, Align align = Align::kRight);
// As draw_text, from this point on, never shortened; returns the x behind it.
float draw_text_at(ImDrawList& list, const ImFont* font, ImVec2 at, ImU32 colour, std::string_view text);

// 45° lines, `step` pixels apart, fixed to the screen so that neighbouring areas join.
void draw_hatch(ImDrawList& list, const Rect& place, ImU32 colour, float step, float thickness);
void draw_dashed_vertical(ImDrawList& list, float x, float y0, float y1, ImU32 colour, float dash, float thickness);
void draw_vertical(ImDrawList& list, float x, float y0, float y1, ImU32 colour, float thickness);
void fill(ImDrawList& list, const Rect& place, ImU32 colour, float rounding = 0.0F);

// A one-pixel line along one side of a panel.
void line_below(ImDrawList& list, const Rect& place, ImU32 colour, float thickness);
void line_right(ImDrawList& list, const Rect& place, ImU32 colour, float thickness);

// Clips what is drawn while it lives.
class Clip {
public:
    Clip(ImDrawList& list, const Rect& place) : list_(list) { list.PushClipRect(place.min(), place.max(), true); }
    ~Clip() { list_.PopClipRect(); }
    Clip(const Clip&) = delete;
    Clip& operator=(const Clip&) = delete;

private:
    ImDrawList& list_;
};

}  // namespace sla::ui
