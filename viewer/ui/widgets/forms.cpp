#include "viewer/ui/widgets/forms.h"

#include "viewer/ui/widgets/item_rects.h"
#include "viewer/ui/widgets/key_numbers.h"
#include "viewer/ui/widgets/paint.h"
#include "viewer/ui/widgets/widgets.h"

#include <imgui_stdlib.h>

#include <algorithm>
#include <cmath>

namespace sla::ui {

namespace {

constexpr float kLabel = 88;
constexpr ImGuiID kListWasOpen = 0x4C495354;  // in a window's storage: in which frame

}  // namespace

Form::Form(Context& context, const char* id, const Rect& place) {
    ImGui::SetCursorScreenPos(place.min());
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    ImGui::BeginChild(id, place.size(), false, ImGuiWindowFlags_NoBackground);
    ImGui::PopStyleVar();
    ImGui::Dummy({0, context.px(2)});
}

Form::~Form() {
    ImGui::EndChild();
}

bool begin_popup(const char* id) {
    if (!ImGui::BeginPopup(id)) return false;
    const bool has_list = ImGui::GetStateStorage()->GetInt(kListWasOpen) == ImGui::GetFrameCount() - 1;
    if (has_list || !ImGui::IsKeyPressed(kKeyEscape, false)) return true;
    // Nothing is drawn in one that closes: a menu in it that the mouse is on would open, stay open unseen, and keep the
    // keys.
    ImGui::CloseCurrentPopup();
    ImGui::EndPopup();
    return false;
}

bool begin_box(Context& context, const char* id) {
    ImGuiStorage* const sizes = ImGui::GetStateStorage();  // of the window around it, which stays when the box is closed
    const ImGuiID width = ImGui::GetID(id);
    const ImGuiID height = width + 1;
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    const Rect& lanes = context.layout.lanes;
    const ImVec2 size{sizes->GetFloat(width), sizes->GetFloat(height)};
    const ImVec2 at{lanes.x + (lanes.width - size.x) / 2, lanes.y + context.px(16)};
    ImGui::SetNextWindowPos({std::clamp(at.x, 0.0F, std::max(0.0F, screen.x - size.x)),
                             std::clamp(at.y, 0.0F, std::max(0.0F, screen.y - size.y))});
    ImGui::SetNextWindowSizeConstraints({0, 0}, screen);
    if (!begin_popup(id)) return false;
    sizes->SetFloat(width, ImGui::GetWindowWidth());
    sizes->SetFloat(height, ImGui::GetWindowHeight());
    return true;
}

bool begin_combo(const char* id, const char* shown, ImGuiComboFlags flags) {
    ImGuiStorage* const of_window = ImGui::GetStateStorage();
    if (!ImGui::BeginCombo(id, shown, flags)) {
        note_item(std::string_view(id).substr(2));  // behind "##"
        return false;
    }
    of_window->SetInt(kListWasOpen, ImGui::GetFrameCount());
    if (ImGui::IsKeyPressed(kKeyEscape, false)) ImGui::CloseCurrentPopup();
    return true;
}

void form_heading(Context& context, const char* text) {
    ImGui::Dummy({0, context.px(4)});
    ImGui::PushFont(context.fonts.heading);
    ImGui::TextColored(ImGui::ColorConvertU32ToFloat4(context.theme.dim), "%s", text);
    ImGui::PopFont();
    ImGui::Dummy({0, context.px(2)});
}

void form_label(Context& context, const char* text) {
    ImGui::AlignTextToFramePadding();
    ImGui::TextColored(ImGui::ColorConvertU32ToFloat4(context.theme.dim), "%s", text);
    const float space = ImGui::GetContentRegionMax().x - context.px(kLabel);
    if (space > context.px(100)) ImGui::SameLine(context.px(kLabel));
}

bool form_field(Context& context, const char* label, const char* id, std::string& text, const char* hint, const char* tip) {
    form_label(context, label);
    ImGui::SetNextItemWidth(-1);
    const bool changed = ImGui::InputTextWithHint(id, hint, &text);
    note_item("field", label);
    if (ImGui::IsItemHovered() && *tip != '\0') tooltip_beside(context, tip);
    return changed;
}

void form_note(Context& context, std::string_view text) {
    const ImVec2 min = ImGui::GetItemRectMin();
    const ImVec2 max = ImGui::GetItemRectMax();
    const float buttons = 2 * (ImGui::GetFrameHeight() + ImGui::GetStyle().ItemInnerSpacing.x);
    draw_text(*ImGui::GetWindowDrawList(), context.fonts.small,
              {min.x, min.y, max.x - min.x - buttons - context.px(6), max.y - min.y}, context.theme.dim, text,
              Align::kRight);
}

// A value that is too wide for its column begins further left, where that keeps it on one line.
void form_reading(Context& context, const char* label, std::string_view value, ImU32 colour) {
    const float column = context.px(kLabel) + context.px(24);
    const float behind_label = ImGui::CalcTextSize(label).x + context.px(8);
    const float to_the_right =
        ImGui::GetContentRegionAvail().x - ImGui::CalcTextSize(value.data(), value.data() + value.size()).x;
    ImGui::TextColored(ImGui::ColorConvertU32ToFloat4(context.theme.dim), "%s", label);
    ImGui::SameLine(to_the_right < behind_label ? column : std::min(column, std::floor(to_the_right)));
    form_words(context, value, colour == 0 ? context.theme.text : colour);
    note_item("reading", label);
}

void form_words(Context&, std::string_view text, ImU32 colour) {
    ImGui::PushStyleColor(ImGuiCol_Text, colour);
    ImGui::PushTextWrapPos(0.0F);
    ImGui::TextUnformatted(text.data(), text.data() + text.size());
    ImGui::PopTextWrapPos();
    ImGui::PopStyleColor();
}

bool form_choice(std::string_view text, bool is_chosen, ImGuiSelectableFlags flags) {
    const bool clicked = ImGui::Selectable("##choice", is_chosen, flags);
    ImGui::SameLine(0, 0);
    ImGui::TextUnformatted(text.data(), text.data() + text.size());
    return clicked;
}

bool form_button(Context& context, const char* text, bool enabled) {
    if (!enabled) ImGui::PushStyleColor(ImGuiCol_Text, faded(context.theme.dim, 0.6F));
    const bool clicked = ImGui::Button(text);
    note_item(text);
    if (!enabled) ImGui::PopStyleColor();
    return clicked && enabled;
}

}  // namespace sla::ui
