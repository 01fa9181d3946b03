#include "viewer/ui/help_overlay.h"

#include "viewer/ui/paint.h"
#include "viewer/ui/widgets.h"

#include <algorithm>
#include <array>

namespace sla::ui {

namespace {

struct Entry {
    const char* keys;
    const char* does;
};

constexpr std::array<Entry, 14> kKeys{{
    {"W S   + \xE2\x88\x92   \xE2\x86\x91 \xE2\x86\x93", "zoom in, out"},
    {"A D   Shift+\xE2\x86\x90 \xE2\x86\x92", "move left, right"},
    {"F", "fit all, or what lies between A and B"},
    {"Z", "zoom to what lies between A and B"},
    {"Home  End", "start, newest event"},
    {"L", "follow live"},
    {"Space", "run, stop"},
    {"\xE2\x86\x90 \xE2\x86\x92   , .", "previous, next edge of the focused lane"},
    {"1  2", "stick cursor A, B to the mouse; click places"},
    {"Esc", "drop the sticking cursor, then B, then A"},
    {"Page \xE2\x86\x91 \xE2\x86\x93", "scroll the lanes"},
    {"G", "go to a time, tick or row"},
    {"Ctrl+E", "export the table"},
    {"?", "this list"},
}};

constexpr std::array<Entry, 10> kMouse{{
    {"wheel", "zoom at the pointer"},
    {"Ctrl+wheel", "zoom finely"},
    {"Shift+wheel", "move sideways"},
    {"left drag", "pan"},
    {"Shift+left drag", "measure from A to B"},
    {"middle drag", "zoom to a range"},
    {"right drag", "pan"},
    {"click", "select an event"},
    {"double click", "lane: this interval; ruler: all"},
    {"Alt", "cursors do not snap"},
}};

template <std::size_t kCount>
void draw_column(Context& context, Rect at, const char* title, const std::array<Entry, kCount>& entries, float keys_width) {
    const float line = context.px(22);
    heading(context, {at.x, at.y, at.width, line}, title);
    float y = at.y + context.px(26);
    for (const Entry& entry : entries) {
        draw_text(context.list, context.fonts.text, {at.x, y, keys_width, line}, context.theme.accent, entry.keys);
        draw_text(context.list, context.fonts.text, {at.x + keys_width, y, at.width - keys_width, line}, context.theme.text,
                  entry.does);
        y += line;
    }
}

}  // namespace

bool draw_help(Context& context) {
    const Rect& window = context.layout.window;
    const float width = std::min(context.px(880), window.width - context.px(32));
    const float height = std::min(context.px(416), window.height - context.px(32));
    const Rect card{std::floor((window.width - width) / 2), std::floor((window.height - height) / 2), width, height};
    fill(context.list, window, faded(context.theme.background, 0.6F));
    fill(context.list, card, context.theme.panel, context.px(8));
    context.list.AddRect(card.min(), card.max(), context.theme.line, context.px(8), 0, context.hair());
    const Rect inside = card.inset(context.px(28), context.px(20));
    draw_text(context.list, context.fonts.strong, {inside.x, inside.y, inside.width, context.px(24)}, context.theme.text,
              "Mouse and keys");
    const float half = std::floor(inside.width * 0.56F);
    const float top = inside.y + context.px(40);
    draw_column(context, {inside.x, top, half - context.px(16), 0}, "KEYS", kKeys, context.px(132));
    draw_column(context, {inside.x + half, top, inside.width - half, 0}, "MOUSE, OVER LANES AND RULER", kMouse,
                context.px(132));
    const ButtonLook close{Icon::kClose, "", "Close  (Esc)"};
    const float size = button_width(context, close);
    const Rect cross{card.right() - size - context.px(16), card.y + context.px(16), size, context.px(28)};
    const bool closed = button(context, "close help", cross, close);
    const bool beside = ImGui::IsMouseClicked(0) && !card.contains(ImGui::GetIO().MousePos);
    return closed || beside;
}

}  // namespace sla::ui
