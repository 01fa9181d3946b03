#include "viewer/ui/app/search_field.h"

#include "viewer/timeline/readable.h"
#include "viewer/ui/commands/navigation.h"
#include "viewer/ui/widgets/paint.h"
#include "viewer/ui/widgets/widgets.h"
#include "viewer/workspace/document.h"

#include <imgui_stdlib.h>

#include <algorithm>
#include <string>

namespace sla::ui {

void SearchField::draw(Context& context, const Rect& place) {
    if (place.width < context.px(90)) return;
    Search& search = context.document.search;
    follow_search(context);
    const bool is_search = search.mode() != SearchMode::kNothing && search.mode() != SearchMode::kWrong;
    const std::string count = search.mode() == SearchMode::kWrong ? std::string("?")
                              : !is_search                        ? std::string()
                              : search.busy() ? "searching\xE2\x80\xA6 " + timeline::grouped(search.hits().size())
                                              : timeline::grouped(search.hits().size());
    const float count_width = count.empty() ? 0 : text_width(context.fonts.small_number, count) + context.px(8);
    const float width = std::clamp(place.width - count_width, context.px(90), context.px(300));
    const Rect field{place.right() - width, place.y, width, place.height};
    draw_text(context.list, context.fonts.small_number, {field.x - count_width, field.y, count_width, field.height},
              search.mode() == SearchMode::kWrong ? context.theme.loss : context.theme.dim, count);
    ImGui::SetCursorScreenPos({field.x, field.y + context.px(1)});
    ImGui::SetNextItemWidth(width);
    if (is_to_be_typed_in_) ImGui::SetKeyboardFocusHere();
    is_to_be_typed_in_ = false;
    if (&search != searched_) text_ = search.text();
    searched_ = &search;
    const bool entered = ImGui::InputTextWithHint("##search", "Search: text, value > 5, a trigger", &text_,
                                                  ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
    const bool left = ImGui::IsItemDeactivatedAfterEdit();
    if (!ImGui::IsItemActive() && !entered && !left) text_ = search.text();
    if ((entered || left) && text_ != search.text()) {
        search.set(text_);
        context.document.panels.awaited_hit.reset();
        going_ = !text_.empty();
        is_to_be_typed_in_ = entered && search.mode() == SearchMode::kWrong;  // to be mended at once
        if (going_) show_tab(context, BottomTab::kFound);
    } else if (entered && !search.hits().empty()) {
        step_hit(context, true);
    }
    if (going_ && !search.hits().empty()) {  // to the first one, once
        going_ = false;
        step_hit(context, true);
    }
    if (search.mode() == SearchMode::kWrong && ImGui::IsItemHovered()) tooltip(context, search.problem());
}

}  // namespace sla::ui
