// Where what answers to the mouse stood in the last frame, by name: tests click "head time", not so many pixels from the left.
// Nothing is noted, and nothing costs more than a comparison, unless somebody asked for it. Owner: the window's thread.
#pragma once

#include "viewer/ui/widgets/layout.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

namespace sla::ui {

struct ItemRect {
    Rect place;
    int frame = 0;  // ImGui's number of the last frame that it was drawn in
};
using ItemRects = std::unordered_map<std::string, ItemRect>;

// Into `where` from now on; null: nothing more. Names that several items share stand for the last of them.
void note_items(ItemRects* where);

// The last item of ImGui's.
void note_item(std::string_view name);
// Of several: "head", "time" is "head time"; "row", 7 is "row 7".
void note_item(std::string_view name, std::string_view which);
void note_item(std::string_view name, std::uint64_t which);

}  // namespace sla::ui
