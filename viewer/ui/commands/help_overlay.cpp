#include "viewer/ui/commands/help_overlay.h"

#include "viewer/ui/commands/keymap.h"
#include "viewer/ui/commands/text_columns.h"
#include "viewer/ui/widgets/key_numbers.h"
#include "viewer/ui/widgets/paint.h"
#include "viewer/ui/widgets/widgets.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sla::ui {

namespace {

struct Entry {
    std::string keys;
    std::string does;
};

std::vector<Entry> mouse_of(const Context& context) {
    const bool profiler = context.settings.mouse == MousePreset::kProfiler;
    return {
        {"wheel", "zoom at the pointer"},
        {"Ctrl+wheel", "zoom finely"},
        {"Shift+wheel", "move sideways"},
        {"left drag", profiler ? "measure from A to B" : "pan"},
        {"Shift+left drag", "measure from A to B"},
        {"middle drag", "zoom to a range"},
        {"right drag", "pan"},
        {"click", "select an event"},
        {"double click", "lane: this interval; ruler: all"},
        {"Alt", "cursors do not snap"},
        {"right click", "the lane's menu"},
        {"drag a name", "the lane to another place"},
    };
}

bool is_of_bookmarks(const Action& action) {
    return std::string_view(action.group) == "Bookmarks";
}

// The person has given none of them other keys.
bool are_bookmark_keys_usual(const Context& context) {
    return std::ranges::all_of(actions(), [&](const Action& action) {
        if (!is_of_bookmarks(action)) return true;
        std::string keys;
        for (const Chord& chord : context.keys.chords_of(action)) keys += (keys.empty() ? "" : " ") + chord_text(chord);
        return keys == action.keys;
    });
}

// The table of actions, those that have a key; the bookmarks' ten in two lines where they are as everywhere.
std::vector<std::pair<std::string, std::vector<Entry>>> groups_of(const Context& context) {
    std::vector<std::pair<std::string, std::vector<Entry>>> groups;
    const bool in_two_lines = are_bookmark_keys_usual(context);
    for (const Action& action : actions()) {
        if (in_two_lines && is_of_bookmarks(action)) continue;
        const std::string keys = context.keys.keys_of(action);
        if (keys.empty()) continue;
        if (groups.empty() || groups.back().first != action.group) groups.push_back({action.group, {}});
        groups.back().second.push_back({keys, action.title});
    }
    if (!in_two_lines) return groups;
    groups.push_back({"Bookmarks",
                      {{"Ctrl+0  Ctrl+3\xE2\x80\xA6"
                        "9",
                        "Keep this place as 0, 3 to 9"},
                       {"0  3\xE2\x80\xA6"
                        "9",
                        "Go to that place"}}});
    return groups;
}

constexpr float kLine = 17;
constexpr float kMinKeys = 104;
constexpr float kBehindKeys = 8;
constexpr std::string_view kBetweenChords = "   ";

constexpr float kMaxColumns = 4;
constexpr float kMinColumn = 264;
constexpr float kHeading = 24;
constexpr float kBelowGroup = 12;
constexpr float kBetween = 20;  // columns

// The text in lines of at most that width, broken between words.
std::vector<std::string_view> lines_of(const ImFont* font, std::string_view text, float width) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const char* end = font->CalcWordWrapPositionA(1.0F, text.data(), text.data() + text.size(), width);
        const auto length = std::max<std::size_t>(1, static_cast<std::size_t>(end - text.data()));
        lines.push_back(text.substr(0, length));
        text.remove_prefix(std::min(text.find_first_not_of(' ', length), text.size()));
    }
    return lines;
}

using Groups = std::vector<std::pair<std::string, std::vector<Entry>>>;

// What the longest chord takes: an entry's keys go on in the next line, none of them is cut.
float space_for_keys(const Context& context, const Groups& groups) {
    const ImFont* font = context.fonts.small;
    float space = context.px(kMinKeys);
    for (const auto& [title, entries] : groups) {
        for (const Entry& entry : entries) {
            std::string_view rest = entry.keys;
            while (!rest.empty()) {
                const std::size_t length = rest.find(kBetweenChords);
                space = std::max(space, std::ceil(text_width(font, rest.substr(0, length))) + context.px(kBehindKeys));
                rest.remove_prefix(length == std::string_view::npos ? rest.size() : length + kBetweenChords.size());
            }
        }
    }
    return space;
}

struct EntryLines {
    std::vector<std::string_view> keys;
    std::vector<std::string_view> words;

    [[nodiscard]] float count() const { return static_cast<float>(std::max(keys.size(), words.size())); }
};

EntryLines entry_lines(const Context& context, const Entry& entry, float keys, float column) {
    const ImFont* font = context.fonts.small;
    return {lines_of(font, entry.keys, keys - context.px(kBehindKeys)),
            lines_of(font, entry.does, column - keys - context.px(kBetween))};
}

EntryHeights heights_of(const Context& context, const Groups& groups, float keys, float column) {
    EntryHeights heights;
    for (const auto& [title, entries] : groups) {
        std::vector<float>& own = heights.emplace_back();
        for (const Entry& entry : entries)
            own.push_back(context.px(kLine) * entry_lines(context, entry, keys, column).count());
    }
    return heights;
}

void draw_lines(Context& context, Rect place, ImU32 colour, const std::vector<std::string_view>& lines) {
    for (const std::string_view line : lines) {
        draw_text(context.list, context.fonts.small, place, colour, line);
        place.y += place.height;
    }
}

// How they stand in a card of that size: as few columns as the height allows, since wide ones break no words.
struct Arrangement {
    TextColumns::Look look;
    EntryHeights entries;
    float height = 0;  // of all; more than the card's: it scrolls
    float keys = 0;
};

Arrangement arrange(const Context& context, const Groups& groups, const Rect& inside) {
    Arrangement out;
    out.keys = space_for_keys(context, groups);
    out.look = {0, context.px(kBetween), context.px(kHeading), context.px(kBelowGroup)};
    const auto most = static_cast<std::size_t>(std::clamp(inside.width / context.px(kMinColumn), 1.0F, kMaxColumns));
    for (std::size_t columns = 1;; ++columns) {
        out.look.width = std::floor(inside.width / static_cast<float>(columns));
        out.entries = heights_of(context, groups, out.keys, out.look.width);
        out.height = TextColumns::least_height(out.entries, out.look, columns, context.px(kLine));
        if (out.height <= inside.height || columns >= most) return out;
    }
}

void draw_groups(Context& context, const Groups& groups, const Arrangement& how, const Rect& body) {
    const float line = context.px(kLine);
    TextColumns columns(body, how.look);
    const auto head = [&](std::size_t group, const Rect& at) {
        heading(context, {at.x, at.y, at.width, line}, groups[group].first);
    };
    const auto entry = [&](std::size_t group, std::size_t which, const Rect& at) {
        const EntryLines lines = entry_lines(context, groups[group].second[which], how.keys, how.look.width);
        draw_lines(context, {at.x, at.y, how.keys, line}, context.theme.accent, lines.keys);
        draw_lines(context, {at.x + how.keys, at.y, at.width - how.keys, line}, context.theme.text, lines.words);
    };
    columns.place(how.entries, head, entry);
}

// How far wheel and keys move it.
float wanted_scroll(const Context& context, float page) {
    float by = -ImGui::GetIO().MouseWheel * context.px(kLine * 3);
    if (ImGui::IsKeyPressed(kKeyDown)) by += context.px(kLine);
    if (ImGui::IsKeyPressed(kKeyUp)) by -= context.px(kLine);
    if (ImGui::IsKeyPressed(kKeyPageDown)) by += page;
    if (ImGui::IsKeyPressed(kKeyPageUp)) by -= page;
    return by;
}

}  // namespace

bool HelpOverlay::draw(Context& context) {
    const Rect& window = context.layout.window;
    const float width = std::min(context.px(1400), window.width - context.px(32));
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
              context.keys.with_keys("{palette} finds anything by name. Keys are yours to change: see the settings."));
    Groups groups = groups_of(context);
    groups.emplace_back("Mouse, over lanes and ruler", mouse_of(context));
    const Rect body{inside.x, inside.y + context.px(34), inside.width, inside.height - context.px(34)};
    const Arrangement how = arrange(context, groups, body);
    const Rect bar_place{card.right() - context.px(10), body.y, context.px(8), body.height};
    const double moved = scrolled_ + static_cast<double>(wanted_scroll(context, body.height));
    const Scrollbar bar(context, "help scroll", bar_place, moved, static_cast<double>(body.height),
                        static_cast<double>(how.height));
    scrolled_ = bar.first;
    {
        const Clip clip(context.list, body);
        const float top = std::floor(body.y - static_cast<float>(scrolled_));
        draw_groups(context, groups, how, {body.x, top, body.width, how.height});
    }
    bar.draw(context.list);
    const ButtonStyle close{Icon::kClose, "", "Close  (Esc)"};
    const float size = button_width(context, close);
    const Rect cross{card.right() - size - context.px(16), card.y + context.px(14), size, context.px(28)};
    const bool closed = button(context, "close help", cross, close);
    const bool beside = ImGui::IsMouseClicked(0) && !card.contains(ImGui::GetIO().MousePos);
    return closed || beside;
}

}  // namespace sla::ui
