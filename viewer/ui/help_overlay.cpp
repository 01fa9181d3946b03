#include "viewer/ui/help_overlay.h"

#include "viewer/ui/paint.h"
#include "viewer/ui/widgets.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace sla::ui {

namespace {

struct Entry {
    std::string keys;
    std::string does;
};

const std::vector<Entry> kMouse{
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
    {"right click", "the lane's menu"},
    {"drag a name", "the lane to another place"},
};

// The table of actions, those that have a key; the bookmarks' ten in two lines.
std::vector<std::pair<std::string, std::vector<Entry>>> groups_of(const Context& context) {
    std::vector<std::pair<std::string, std::vector<Entry>>> groups;
    for (const Action& action : actions()) {
        if (std::string_view(action.group) == "Bookmarks") continue;
        const std::string keys = context.keys.keys_of(action);
        if (keys.empty()) continue;
        if (groups.empty() || groups.back().first != action.group) groups.push_back({action.group, {}});
        groups.back().second.push_back({keys, action.title});
    }
    groups.push_back({"Bookmarks",
                      {{"Ctrl+0\xE2\x80\xA6"
                        "9",
                        "Keep this place as 0 to 9"},
                       {"0  3\xE2\x80\xA6"
                        "9",
                        "Go to that place"}}});
    return groups;
}

constexpr float kLine = 17;
constexpr float kKeys = 104;

float height_of(const Context& context, std::size_t entries) {
    return context.px(26) + context.px(kLine) * static_cast<float>(entries) + context.px(10);
}

// Returns the y below it.
float draw_group(Context& context, const Rect& at, const std::string& title, const std::vector<Entry>& entries) {
    const float line = context.px(kLine);
    heading(context, {at.x, at.y, at.width, line}, title);
    float y = at.y + context.px(24);
    for (const Entry& entry : entries) {
        const float keys = context.px(kKeys);
        draw_text(context.list, context.fonts.small, {at.x, y, keys - context.px(8), line}, context.theme.accent,
                  entry.keys);
        draw_text(context.list, context.fonts.small, {at.x + keys, y, at.width - keys, line}, context.theme.text,
                  entry.does);
        y += line;
    }
    return y + context.px(12);
}

// In columns, each as full as the card is high.
void draw_groups(Context& context, const Rect& inside) {
    auto groups = groups_of(context);
    groups.emplace_back("Mouse, over lanes and ruler", kMouse);
    const auto columns = static_cast<std::size_t>(std::clamp(inside.width / context.px(270), 1.0F, 4.0F));
    const float width = std::floor(inside.width / static_cast<float>(columns));
    float whole = 0;
    for (const auto& [title, entries] : groups) whole += height_of(context, entries.size());
    const float each = std::max(whole / static_cast<float>(columns) + context.px(40), inside.height * 0.5F);
    float x = inside.x;
    float y = inside.y;
    for (const auto& [title, entries] : groups) {
        const bool full = y > inside.y && y - inside.y + height_of(context, entries.size()) > each;
        if (full && x + width * 1.5F < inside.right()) {
            x += width;
            y = inside.y;
        }
        y = draw_group(context, {x, y, width - context.px(20), 0}, title, entries);
    }
}

}  // namespace

bool draw_help(Context& context) {
    const Rect& window = context.layout.window;
    const float width = std::min(context.px(1180), window.width - context.px(32));
    const float height = std::min(context.px(680), window.height - context.px(32));
    const Rect card{std::floor((window.width - width) / 2), std::floor((window.height - height) / 2), width, height};
    fill(context.list, window, faded(context.theme.background, 0.6F));
    fill(context.list, card, context.theme.panel, context.px(8));
    context.list.AddRect(card.min(), card.max(), context.theme.line, context.px(8), 0, context.hair());
    const Rect inside = card.inset(context.px(24), context.px(16));
    draw_text(context.list, context.fonts.strong, {inside.x, inside.y, inside.width, context.px(24)}, context.theme.text,
              "Mouse and keys");
    draw_text(context.list, context.fonts.small,
              {inside.x + context.px(160), inside.y, inside.width - context.px(220), context.px(24)}, context.theme.dim,
              "Ctrl+Shift+P finds anything by name. Keys are yours to change: see the settings.");
    {
        const Clip clip(context.list, card);
        draw_groups(context, {inside.x, inside.y + context.px(34), inside.width, inside.height - context.px(34)});
    }
    const ButtonLook close{Icon::kClose, "", "Close  (Esc)"};
    const float size = button_width(context, close);
    const Rect cross{card.right() - size - context.px(16), card.y + context.px(14), size, context.px(28)};
    const bool closed = button(context, "close help", cross, close);
    const bool beside = ImGui::IsMouseClicked(0) && !card.contains(ImGui::GetIO().MousePos);
    return closed || beside;
}

}  // namespace sla::ui
