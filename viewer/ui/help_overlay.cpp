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

constexpr float kMostColumns = 4;
constexpr float kHeading = 24;
constexpr float kBelowGroup = 12;

// Like a newspaper: in columns, each filled before the next is begun. A heading is never left alone at a column's foot.
class Columns {
public:
    Columns(const Rect& inside, std::size_t count, float height)
        : inside_(inside), width_(std::floor(inside.width / static_cast<float>(count))), height_(height) {}

    // The place of the next thing of that height, which needs `with` more below it in the same column.
    Rect take(float height, float with = 0) {
        if (y_ > 0 && y_ + height + with > height_) {
            ++column_;
            y_ = 0;
        }
        const Rect place{inside_.x + width_ * static_cast<float>(column_), inside_.y + y_, width_ - 20, height};
        y_ += height;
        return place;
    }
    // Room between two groups; none at the top of a column.
    void skip(float height) {
        if (y_ > 0) y_ += height;
    }

private:
    Rect inside_;
    float width_;
    float height_;
    std::size_t column_ = 0;
    float y_ = 0;
};

void draw_group(Context& context, Columns& columns, const std::string& title, const std::vector<Entry>& entries) {
    const float line = context.px(kLine);
    const Rect head = columns.take(context.px(kHeading), line * 2);
    heading(context, {head.x, head.y, head.width, line}, title);
    for (const Entry& entry : entries) {
        const Rect at = columns.take(line);
        const float keys = context.px(kKeys);
        const Rect keys_at{at.x, at.y, keys - context.px(8), line};
        const Rect does_at{at.x + keys, at.y, at.width - keys, line};
        const bool cut = draw_text(context.list, context.fonts.small, keys_at, context.theme.accent, entry.keys) ||
                         text_width(context.fonts.small, entry.does) > does_at.width;
        draw_text(context.list, context.fonts.small, does_at, context.theme.text, entry.does);
        if (cut && at.contains(ImGui::GetIO().MousePos)) tooltip(context, entry.keys + "\n" + entry.does);
    }
    columns.skip(context.px(kBelowGroup));
}

void draw_groups(Context& context, const Rect& inside) {
    auto groups = groups_of(context);
    groups.emplace_back("Mouse, over lanes and ruler", kMouse);
    float whole = 0;
    for (const auto& [title, entries] : groups) {
        whole += context.px(kHeading + kBelowGroup) + context.px(kLine) * static_cast<float>(entries.size());
    }
    // As few columns as the height allows: wide ones cut no words.
    const auto even = [&](float count) { return whole / count + context.px(kLine * 2); };
    float count = 1;
    while (count < kMostColumns && even(count) > inside.height) ++count;
    Columns columns(inside, static_cast<std::size_t>(count), std::min(even(count), inside.height));
    for (const auto& [title, entries] : groups) draw_group(context, columns, title, entries);
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
