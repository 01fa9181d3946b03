#include "viewer/ui/widgets/widgets.h"

#include "viewer/ui/widgets/item_rects.h"
#include "viewer/ui/widgets/paint.h"

#include <algorithm>

namespace sla::ui {

namespace {

constexpr float kIcon = 14;
constexpr float kPadding = 8;
constexpr float kBetween = 6;
constexpr float kBox = 11;
constexpr float kTipWidth = 420;  // at most
constexpr float kFromTip = 4;
constexpr float kTallestOfLine = 36;

bool is_dragging() {
    for (const int button : {0, 1, 2}) {
        if (ImGui::IsMouseDragging(button)) return true;
    }
    return false;
}

ImVec2 size_of_tip(const Context& context, std::string_view text) {
    const ImVec2 words = ImGui::CalcTextSize(text.data(), text.data() + text.size(), false, context.px(kTipWidth));
    const ImVec2 padding = ImGui::GetStyle().WindowPadding;
    return {words.x + padding.x * 2, words.y + padding.y * 2};
}

// Kept inside the window.
void place_tip(const Context& context, ImVec2 at, ImVec2 size) {
    const Rect& window = context.layout.window;
    at.x = std::max(window.x, std::min(at.x, window.right() - size.x));
    at.y = std::max(window.y, std::min(at.y, window.bottom() - size.y));
    ImGui::SetNextWindowPos({std::floor(at.x), std::floor(at.y)});
}

// One in a line of others; a list, or a panel, has no neighbours that are to stay in sight.
void place_tip_at_item(const Context& context, std::string_view text) {
    const ImVec2 min = ImGui::GetItemRectMin();
    const ImVec2 max = ImGui::GetItemRectMax();
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const bool is_on_it = mouse.x >= min.x && mouse.x < max.x && mouse.y >= min.y && mouse.y < max.y;
    if (!is_on_it || max.y - min.y > context.px(kTallestOfLine)) return;
    const ImVec2 size = size_of_tip(context, text);
    const float gap = context.px(kFromTip);
    const bool is_wide = max.x - min.x > context.px(kTipWidth) / 2;
    const bool fits_below = max.y + gap + size.y <= context.layout.window.bottom();
    place_tip(context, {is_wide ? mouse.x + gap : min.x, fits_below ? max.y + gap : min.y - gap - size.y}, size);
}

void draw_tip(const Context& context, std::string_view text) {
    ImGui::BeginTooltip();
    ImGui::PushTextWrapPos(context.px(kTipWidth));
    ImGui::TextUnformatted(text.data(), text.data() + text.size());
    ImGui::PopTextWrapPos();
    ImGui::EndTooltip();
}

}  // namespace

bool mouse_area(const char* id, const Rect& place) {
    if (place.width < 1 || place.height < 1) return false;
    ImGui::SetCursorScreenPos(place.min());
    ImGui::InvisibleButton(
        id, place.size(),
        ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonRight | ImGuiButtonFlags_MouseButtonMiddle);
    note_item(id);
    return ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenBlockedByActiveItem);
}

bool is_mouse_over(const Rect& place) {
    return place.contains(ImGui::GetIO().MousePos) && ImGui::IsWindowHovered(ImGuiHoveredFlags_AllowWhenBlockedByActiveItem);
}

bool was_dragged() {
    const ImGuiIO& io = ImGui::GetIO();
    return io.MouseDragMaxDistanceSqr[0] >= io.MouseDragThreshold * io.MouseDragThreshold;
}

float button_width(const Context& context, const ButtonStyle& look) {
    float width = context.px(kPadding) * 2;
    if (look.icon != Icon::kNone) width += context.px(kIcon);
    if (!look.label.empty()) width += text_width(context.fonts.text, look.label);
    if (look.icon != Icon::kNone && !look.label.empty()) width += context.px(kBetween);
    return std::ceil(width);
}

bool button(Context& context, const char* id, const Rect& place, const ButtonStyle& look) {
    ImGui::SetCursorScreenPos(place.min());
    const bool clicked = ImGui::InvisibleButton(id, place.size()) && look.enabled;
    note_item(id);
    const bool hovered = ImGui::IsItemHovered();
    const Theme& theme = context.theme;
    const float rounding = context.px(4);
    if (look.active) fill(context.list, place, faded(theme.accent, 0.16F), rounding);
    if (hovered && look.enabled)
        fill(context.list, place, faded(theme.text, ImGui::IsItemActive() ? 0.14F : 0.08F), rounding);
    ImU32 colour = look.colour != 0 ? look.colour : look.active ? theme.accent : theme.text;
    if (!look.enabled) colour = faded(theme.dim, 0.5F);
    float x = place.x + context.px(kPadding);
    if (look.icon != Icon::kNone) {
        const float icon = context.px(kIcon);
        draw_icon(context.list, look.icon, {x + icon / 2, place.y + place.height / 2}, icon, colour);
        x += icon + context.px(kBetween);
    }
    if (!look.label.empty()) {
        draw_text(context.list, context.fonts.text, {x, place.y, place.right() - x, place.height}, colour, look.label);
    }
    if (hovered && *look.tooltip != '\0') tooltip(context, look.tooltip);
    return clicked;
}

float toggle_width(const Context& context, const ToggleStyle& look) {
    return std::ceil(context.px(kBox + kBetween + kPadding) + text_width(context.fonts.small, look.label));
}

float toggle(Context& context, const char* action, const Rect& space, const ToggleStyle& look) {
    const Theme& theme = context.theme;
    const Rect place{space.x, space.y, std::min(toggle_width(context, look), space.width), space.height};
    const bool hovered = mouse_area(action, place);
    if (ImGui::IsItemClicked(0)) context.commands.push(command::RunAction{action});
    const float size = context.px(kBox);
    const Rect box{place.x, std::floor(place.y + (place.height - size) / 2), size, size};
    const ImU32 colour = hovered ? theme.text : theme.dim;
    context.list.AddRect(box.min(), box.max(), colour, context.px(2), 0, context.hair());
    if (look.on) fill(context.list, box.inset(context.px(2.5F), context.px(2.5F)), theme.accent, context.px(1));
    const float x = box.right() + context.px(kBetween);
    draw_text(context.list, context.fonts.small, {x, place.y, place.right() - x, place.height},
              look.on || hovered ? theme.text : theme.dim, look.label);
    if (hovered && *look.tooltip != '\0') tooltip(context, look.tooltip);
    return place.right();
}

void tooltip(const Context& context, std::string_view text) {
    if (is_dragging()) return;  // it would lie over where the thing is to be dropped
    ImGui::PushFont(context.fonts.small);
    place_tip_at_item(context, text);
    draw_tip(context, text);
    ImGui::PopFont();
}

void tooltip_beside(const Context& context, std::string_view text) {
    if (is_dragging()) return;
    ImGui::PushFont(context.fonts.small);
    const ImVec2 size = size_of_tip(context, text);
    const float left = ImGui::GetWindowPos().x - context.px(16) - size.x;
    const float right = ImGui::GetWindowPos().x + ImGui::GetWindowSize().x + context.px(16);
    const bool fits_right = right + size.x <= context.layout.window.right();
    if (left >= context.layout.window.x || fits_right) {
        place_tip(context, {left >= context.layout.window.x ? left : right, ImGui::GetItemRectMin().y}, size);
    } else {
        place_tip_at_item(context, text);
    }
    draw_tip(context, text);
    ImGui::PopFont();
}

float splitter(Context& context, const char* id, const Rect& place, Direction direction) {
    if (place.width < 1 || place.height < 1) return 0;
    ImGui::SetCursorScreenPos(place.min());
    ImGui::InvisibleButton(id, place.size());
    note_item(id);
    const bool active = ImGui::IsItemActive();
    const bool across = direction == Direction::kAcross;
    if (active || ImGui::IsItemHovered()) {
        ImGui::SetMouseCursor(across ? ImGuiMouseCursor_ResizeEW : ImGuiMouseCursor_ResizeNS);
        const float thick = context.hair() * 2;
        const Rect line = across ? Rect{std::floor(place.x + (place.width - thick) / 2), place.y, thick, place.height}
                                 : Rect{place.x, std::floor(place.y + (place.height - thick) / 2), place.width, thick};
        fill(*ImGui::GetForegroundDrawList(), line, context.theme.accent);
    }
    if (!active) return 0;
    const ImVec2 delta = ImGui::GetIO().MouseDelta;
    return across ? delta.x : delta.y;
}

Scrollbar::Scrollbar(Context& context, const char* id, const Rect& place, double from, double shown, double total) {
    const double most = std::max(0.0, total - shown);
    first = std::clamp(from, 0.0, most);
    if (most <= 0.0 || place.height < context.px(32)) return;
    const bool hovered = mouse_area(id, place);
    const bool active = ImGui::IsItemActive();
    const float size = std::max(context.px(24), std::floor(place.height * static_cast<float>(shown / total)));
    const float space = std::max(1.0F, place.height - size);
    const float top = place.y + static_cast<float>(first / most) * space;
    if (ImGui::IsItemActivated()) {
        const float mouse = ImGui::GetIO().MousePos.y;
        if (mouse < top || mouse > top + size) first = static_cast<double>((mouse - place.y - size / 2) / space) * most;
    } else if (active) {
        first += static_cast<double>(ImGui::GetIO().MouseDelta.y / space) * most;
    }
    first = std::clamp(first, 0.0, most);
    thumb = Rect{place.x, std::floor(place.y + static_cast<float>(first / most) * space), place.width, size}.inset(
        context.px(2), 0);
    colour = faded(context.theme.dim, active ? 0.75F : hovered ? 0.55F : 0.35F);
}

void Scrollbar::draw(ImDrawList& list) const {
    if (colour != 0) fill(list, thumb, colour, thumb.width / 2);
}

void heading(Context& context, const Rect& place, std::string_view text) {
    draw_text(context.list, context.fonts.heading, place, context.theme.dim, text);
}

}  // namespace sla::ui
