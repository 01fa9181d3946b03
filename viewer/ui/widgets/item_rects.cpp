#include "viewer/ui/widgets/item_rects.h"

#include <imgui.h>

namespace sla::ui {

namespace {

ItemRects* noted_in = nullptr;

}  // namespace

void note_items(ItemRects* where) {
    noted_in = where;
}

void note_item(std::string_view name) {
    if (noted_in == nullptr) return;
    const ImVec2 at = ImGui::GetItemRectMin();
    const ImVec2 size = ImGui::GetItemRectSize();
    (*noted_in)[std::string(name)] = {{at.x, at.y, size.x, size.y}, ImGui::GetFrameCount()};
}

void note_item(std::string_view name, std::string_view which) {
    if (noted_in == nullptr) return;
    note_item(std::string(name) + " " + std::string(which));
}

void note_item(std::string_view name, std::uint64_t which) {
    if (noted_in != nullptr) note_item(name, std::to_string(which));
}

}  // namespace sla::ui
