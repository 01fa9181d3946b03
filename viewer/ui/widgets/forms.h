// Forms in a panel: labels, fields, buttons of ImGui in our look, one below the other, scrolling when they need more space.
#pragma once

#include "viewer/ui/widgets/context.h"

#include <string>
#include <string_view>

namespace sla::ui {

// A scrolling area over `place` while it lives; what is drawn meanwhile stands in it.
class Form {
public:
    Form(Context& context, const char* id, const Rect& place);
    ~Form();
    Form(const Form&) = delete;
    Form& operator=(const Form&) = delete;
};

// ImGui::BeginPopup that Escape closes, unless a list of begin_combo()'s is open in it.
bool begin_popup(const char* id);
// The same in the middle of the lanes, at their top; where the window is too small for that it stays within it, and scrolls.
bool begin_box(Context& context, const char* id);
// ImGui::BeginCombo whose open list Escape closes.
bool begin_combo(const char* id, const char* shown, ImGuiComboFlags flags = 0);

// The dim capital heading of a section.
void form_heading(Context& context, const char* text);
// A label at the left; what comes next stands beside it.
void form_label(Context& context, const char* text);
// A label and a line of text to type. True when it changed.
bool form_field(Context& context, const char* label, const char* id, std::string& text, const char* hint, const char* tip);
// What the number in the field above means, small, in that field before its two buttons.
void form_note(Context& context, std::string_view text);
// "label            value"
void form_reading(Context& context, const char* label, std::string_view value, ImU32 colour = 0);
// Words that wrap.
void form_words(Context& context, std::string_view text, ImU32 colour);
// A line to choose in a list or a menu. Its text is shown as it is: in ImGui's own what stands behind "##" is not.
bool form_choice(std::string_view text, bool is_chosen, ImGuiSelectableFlags flags = 0);
bool form_button(Context& context, const char* text, bool enabled = true);

}  // namespace sla::ui
