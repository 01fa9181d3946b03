#include "viewer/ui/tables/lane_picker.h"

#include "viewer/ui/widgets/forms.h"
#include "viewer/ui/widgets/item_rects.h"
#include "viewer/ui/widgets/paint.h"
#include "viewer/ui/widgets/visible_lanes.h"
#include "viewer/ui/widgets/widgets.h"
#include "viewer/workspace/search/fuzzy.h"

#include <imgui_stdlib.h>

#include <algorithm>
#include <utility>

namespace sla::ui {

// Names of thousands of lanes take tens of milliseconds to make: once for what is typed, not in each frame.
void LanePicker::find(const Context& context) {
    found_for_ = looked_for_;
    found_in_ = context.tree.revision();
    std::vector<std::pair<int, const store::Lane*>> scored;
    for (const store::Lane* one : context.tree.lanes()) {
        if (looked_for_.empty()) {
            scored.emplace_back(0, one);
        } else if (const auto score = fuzzy_score(looked_for_, lane_label(context, *one))) {
            scored.emplace_back(-*score, one);
        }
    }
    std::stable_sort(scored.begin(), scored.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    found_.clear();
    for (const auto& [score, one] : scored) found_.push_back(one);
}

void LanePicker::draw(Context& context, const char* id, std::string& key, float width) {
    const store::Lane* lane = context.tree.lane_of(key);
    ImGui::SetNextItemWidth(width);
    const std::string shown = lane == nullptr ? std::string("choose a lane") : lane_label(context, *lane);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float height = ImGui::GetFrameHeight();
    const float padding = ImGui::GetStyle().FramePadding.x;
    const bool is_open = begin_combo(id, "", ImGuiComboFlags_HeightLarge);
    draw_text(context.list, context.fonts.small, {at.x + padding, at.y, width - height - padding, height},
              context.theme.text, shown);
    if (!is_open) return;
    const bool is_new = ImGui::IsWindowAppearing();
    if (is_new) {
        looked_for_.clear();
        ImGui::SetKeyboardFocusHere();
    }
    ImGui::SetNextItemWidth(std::max(width, context.px(180)));
    const bool entered =
        ImGui::InputTextWithHint("##name", "part of its name", &looked_for_, ImGuiInputTextFlags_EnterReturnsTrue);
    if (is_new || looked_for_ != found_for_ || found_in_ != context.tree.revision()) find(context);
    const store::Lane* chosen = entered && !found_.empty() ? found_.front() : nullptr;
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(found_.size()));
    while (clipper.Step()) {
        for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
            const store::Lane* const one = found_[static_cast<std::size_t>(i)];
            ImGui::PushID(one);
            if (form_choice(lane_label(context, *one), one == lane)) chosen = one;
            note_item("lane to pair", static_cast<std::size_t>(i));
            ImGui::PopID();
        }
    }
    if (found_.empty()) form_words(context, "No lane of that name.", context.theme.dim);
    if (chosen != nullptr) {
        key = context.tree.key_of(*chosen);
        ImGui::CloseCurrentPopup();
    }
    ImGui::EndCombo();
}

}  // namespace sla::ui
