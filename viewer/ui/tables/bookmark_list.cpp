#include "viewer/ui/tables/bookmark_list.h"

#include "viewer/timeline/readable.h"
#include "viewer/ui/commands/keymap.h"
#include "viewer/ui/tables/grid.h"
#include "viewer/ui/widgets/forms.h"
#include "viewer/ui/widgets/item_rects.h"
#include "viewer/ui/widgets/paint.h"
#include "viewer/ui/widgets/widgets.h"

#include <imgui_stdlib.h>

#include <algorithm>
#include <string>

namespace sla::ui {

namespace {

// Where the columns begin, at scale 1.
constexpr float kDigit = 12;
constexpr float kTime = 56;
constexpr float kTimeWidth = 136;
constexpr float kLength = 204;
constexpr float kLengthWidth = 92;
constexpr float kNote = 312;
constexpr float kDelete = 76;  // from the right
constexpr float kBookmarkHead = 22;

void draw_head(Context& context, const Rect& place) {
    fill(context.list, place, context.theme.panel);
    const auto title = [&](float x, float width, const char* text, Align align) {
        draw_text(context.list, context.fonts.small, {place.x + context.px(x), place.y, context.px(width), place.height},
                  context.theme.dim, text, align);
    };
    title(kDigit, kTime - kDigit, "go to", Align::kLeft);
    title(kTime, kTimeWidth, "time", Align::kRight);
    title(kLength, kLengthWidth, "length", Align::kRight);
    title(kNote, 120, "note", Align::kLeft);
    line_below(context.list, place, context.theme.line, context.hair());
}

void number(const Context& context, float x, float width, const std::string& text) {
    ImGui::PushFont(context.fonts.number);
    const float space = context.px(width) - ImGui::CalcTextSize(text.c_str()).x;
    ImGui::SameLine(context.px(x) + std::max(0.0F, space));
    ImGui::TextUnformatted(text.c_str());
    ImGui::PopFont();
}

}  // namespace

bool BookmarkList::draw_row(Context& context, int digit, Bookmark& mark) {
    ImGui::PushID(digit);
    ImGui::SetCursorPosX(context.px(kDigit));
    if (ImGui::Button(std::to_string(digit).c_str(), {context.px(28), 0})) context.view.show(mark.range);
    note_item("bookmark", static_cast<std::uint64_t>(digit));
    if (ImGui::IsItemHovered()) tooltip(context, "Go there");
    ImGui::AlignTextToFramePadding();
    number(context, kTime, kTimeWidth, timeline::readable_time(context.time_ps(mark.range.first), 1'000));
    const auto length = static_cast<std::int64_t>(mark.range.length());
    number(context, kLength, kLengthWidth, timeline::readable_delta(context.session.clock().ticks_to_ps(length)));
    ImGui::SameLine(context.px(kNote));
    ImGui::SetNextItemWidth(std::max(context.px(60), ImGui::GetWindowWidth() - context.px(kNote + kDelete + 8)));
    if (std::optional<int>& writing = context.document.panels.bookmark_to_note; writing == digit) {
        ImGui::SetKeyboardFocusHere();
        writing.reset();
    }
    ImGui::InputTextWithHint("##note", "what is here", &mark.note);
    note_item("note", static_cast<std::uint64_t>(digit));
    ImGui::SameLine(ImGui::GetWindowWidth() - context.px(kDelete));
    const bool deleted = ImGui::Button("Delete");
    note_item("delete", static_cast<std::uint64_t>(digit));
    ImGui::PopID();
    return !deleted;
}

void BookmarkList::draw(Context& context, const Rect& place, const Rect& strip) {
    draw_text(context.list, context.fonts.small, strip, context.theme.dim,
              context.keys.with_keys("{set-bookmark-0}, {set-bookmark-3} to {set-bookmark-9} keep the place in view"),
              Align::kRight);
    auto& marks = context.marks.annotations.bookmarks;
    if (marks.empty()) {
        context.document.panels.bookmark_to_note.reset();
        draw_hint_text(context, place,
                       context.keys.with_keys(
                           "Press {set-bookmark-4} to keep the place in view as 4; then {bookmark-4} comes back to it."));
        return;
    }
    const Rect head{place.x, place.y, place.width, context.px(kBookmarkHead)};
    draw_head(context, head);
    const Form form(context, "bookmarks", {place.x, head.bottom(), place.width, place.bottom() - head.bottom()});
    std::optional<int> deleted;
    for (auto& [digit, mark] : marks) {
        if (!draw_row(context, digit, mark)) deleted = digit;
    }
    if (deleted) marks.erase(*deleted);
}

}  // namespace sla::ui
