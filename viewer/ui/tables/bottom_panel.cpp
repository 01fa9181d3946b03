#include "viewer/ui/tables/bottom_panel.h"

#include "viewer/timeline/readable.h"
#include "viewer/ui/widgets/forms.h"
#include "viewer/ui/widgets/item_rects.h"
#include "viewer/ui/widgets/key_numbers.h"
#include "viewer/ui/widgets/paint.h"
#include "viewer/ui/widgets/widgets.h"
#include "viewer/workspace/document.h"

#include <fmt/format.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

namespace sla::ui {

namespace {

struct TabStyle {
    BottomTab tab;
    const char* title;
    const char* tip;
};

constexpr std::array<TabStyle, 10> kTabs{{
    {BottomTab::kEvents, "EVENTS", "Every event as a row, with the time since the one before"},
    {BottomTab::kFlame, "FLAME", "A track for each thread: the spans of all its channels, nested"},
    {BottomTab::kStatistics, "STATISTICS", "Of all lanes, over what is in view or between A and B"},
    {BottomTab::kFound, "FOUND", "What the search found"},
    {BottomTab::kPairs, "PAIRS", "From each event of one lane to the next of another: one row a pair, held against a limit"},
    {BottomTab::kMarkers, "MARKERS", "Named markers, and every difference between two of them"},
    {BottomTab::kBookmarks, "BOOKMARKS", "Places kept under a digit, with a note"},
    {BottomTab::kShots, "SHOTS", "Where triggers fired"},
    {BottomTab::kGaps, "GAPS", "Every loss: when, where, how many, why"},
    {BottomTab::kSql, "SQL", "Questions in SQL over the whole capture"},
}};

std::string count_of(const Context& context, BottomTab tab) {
    std::size_t count = 0;
    switch (tab) {
        case BottomTab::kEvents:
        case BottomTab::kFlame:
        case BottomTab::kStatistics:
        case BottomTab::kPairs:
        case BottomTab::kSql: break;
        case BottomTab::kFound: count = context.document.search.hits().size(); break;
        case BottomTab::kMarkers:
            count = context.marks.annotations.markers.size() + context.marks.annotations.ranges.size();
            break;
        case BottomTab::kBookmarks: count = context.marks.annotations.bookmarks.size(); break;
        case BottomTab::kShots: count = context.session.shots().size(); break;
        case BottomTab::kGaps: count = context.session.changes().totals().gaps; break;
    }
    return count == 0 ? std::string() : timeline::grouped(count);
}

// What was only not kept is no alarm.
bool has_losses(const store::Session& session) {
    return session.lost() > 0 || session.uncounted_losses() > 0;
}

float width_of(const Context& context, const TabStyle& look, const std::string& count) {
    const float number = count.empty() ? 0 : text_width(context.fonts.small_number, count) + context.px(6);
    return text_width(context.fonts.heading, look.title) + number + context.px(20);
}

void draw_tab(Context& context, const TabStyle& look, const std::string& count, const Rect& place) {
    const bool hovered = mouse_area(look.title, place);
    BottomTab& shown = context.document.panels.bottom_tab;
    if (ImGui::IsItemClicked()) shown = look.tab;
    const bool open = shown == look.tab;
    const bool alarm = look.tab == BottomTab::kGaps && has_losses(context.session);
    const ImU32 colour = open || hovered ? context.theme.text : alarm ? context.theme.loss : context.theme.dim;
    const float title = text_width(context.fonts.heading, look.title);
    draw_text(context.list, context.fonts.heading, {place.x + context.px(10), place.y, title, place.height}, colour,
              look.title);
    if (!count.empty()) {
        draw_text(context.list, context.fonts.small_number,
                  {place.x + context.px(16) + title, place.y, place.width - title, place.height},
                  alarm ? context.theme.loss : colour, count);
    }
    if (open) {
        fill(context.list,
             {place.x + context.px(4), place.bottom() - context.px(2), place.width - context.px(8), context.px(2)},
             context.theme.accent);
    }
    if (hovered) tooltip(context, look.tip);
}

// Those from the n-th on, for which there is no space: by name, as a menu.
void draw_more_tabs(Context& context, std::size_t first, const Rect& place) {
    BottomTab& shown = context.document.panels.bottom_tab;
    const auto is_open = [&](const TabStyle& look) { return look.tab == shown; };
    const bool any_open = std::any_of(kTabs.begin() + static_cast<std::ptrdiff_t>(first), kTabs.end(), is_open);
    if (button(context, "more tabs", place,
               {.icon = Icon::kFold, .label = "", .tooltip = "Other lists", .active = any_open}))
        ImGui::OpenPopup("more tabs");
    if (!begin_popup("more tabs")) return;
    for (std::size_t i = first; i < kTabs.size(); ++i) {
        if (ImGui::MenuItem(kTabs[i].title, count_of(context, kTabs[i].tab).c_str(), is_open(kTabs[i])))
            shown = kTabs[i].tab;
        note_item("more", kTabs[i].title);
    }
    ImGui::EndPopup();
}

}  // namespace

float BottomPanel::draw_tabs(Context& context, const Rect& strip) {
    std::array<std::string, kTabs.size()> counts;
    std::array<float, kTabs.size()> widths{};
    for (std::size_t i = 0; i < kTabs.size(); ++i) {
        counts[i] = count_of(context, kTabs[i].tab);
        widths[i] = width_of(context, kTabs[i], counts[i]);
    }
    float x = strip.x + context.px(4);
    const bool do_fit = std::accumulate(widths.begin(), widths.end(), x) <= strip.right();
    const float more = context.px(30);
    const float end = do_fit ? strip.right() : strip.right() - more;
    for (std::size_t i = 0; i < kTabs.size(); ++i) {
        if (x + widths[i] > end && !do_fit) {
            draw_more_tabs(context, i, {x, strip.y + context.px(2), more, strip.height - context.px(4)});
            return x + more;
        }
        draw_tab(context, kTabs[i], counts[i], {x, strip.y, widths[i], strip.height});
        x += widths[i];
    }
    return x;
}

void BottomPanel::draw_filter(Context& context, const Rect& place) {
    TableRows& rows = context.document.rows;
    if (place.width < context.px(120)) return;
    const ButtonStyle collapse{.label = "\xC3\x97n",
                               .tooltip =
                                   "Collapse: of rows that repeat the one before, all but their time, the first stays and "
                                   "counts the others",
                               .active = rows.collapsed()};
    const float button_space = button_width(context, collapse) + context.px(6);
    if (button(context, "collapse",
               {place.right() - button_space + context.px(6), place.y + context.px(2), button_space - context.px(6),
                place.height - context.px(4)},
               collapse)) {
        rows.set_collapsed(!rows.collapsed());
    }
    draw_filter_text(context, {place.x, place.y, place.width - button_space, place.height});
}

void BottomPanel::draw_filter_text(Context& context, const Rect& place) {
    TableRows& rows = context.document.rows;
    if (filter_known_ != rows.filter()) filter_text_ = filter_known_ = rows.filter();  // undone, or of a file
    const std::string words = rows.words();
    const float words_width = words.empty() ? 0 : text_width(context.fonts.small, words) + context.px(10);
    const float width = std::min(context.px(320), place.width - words_width);
    draw_text(context.list, context.fonts.small, {place.right() - width - words_width, place.y, words_width, place.height},
              rows.wrong() ? context.theme.loss : context.theme.dim, words);
    ImGui::SetCursorScreenPos({place.right() - width, place.y + context.px(2)});
    ImGui::SetNextItemWidth(width);
    if (std::exchange(context.document.panels.focus_filter, false)) ImGui::SetKeyboardFocusHere();
    ImGui::PushFont(context.fonts.small);
    const std::string before = filter_text_;
    ImGui::InputTextWithHint("##filter", "Filter: text, /regex/, value > 100 and kind == tick", &filter_text_);
    if (ImGui::IsItemDeactivated() && ImGui::IsKeyPressed(kKeyEscape, false))
        filter_text_ = before;  // leaves, takes nothing back
    ImGui::PopFont();
    if (filter_text_ != filter_known_) {
        filter_known_ = filter_text_;
        rows.set_filter(filter_text_);
    }
}

// Where what belongs to a tab stands: behind the tabs, or in a line of its own where they leave too little space.
Rect BottomPanel::rest_of_tabs(const Context& context, float used) {
    const Rect& strip = context.layout.tabs;
    const Rect& own = context.layout.tab_line;
    if (own.height <= 0) return {used + context.px(12), strip.y, strip.right() - used - context.px(20), strip.height};
    fill(context.list, own, context.theme.panel);
    return {own.x + context.px(8), own.y, own.width - context.px(16), own.height};
}

void BottomPanel::go_on_from(const BottomPanel& before) {
    pairs_.go_on_from(before.pairs_);
    statistics_.go_on_from(before.statistics_);
}

void BottomPanel::draw(Context& context) {
    table_.take_steps(context);
    statistics_.rest();
    const Rect& strip = context.layout.tabs;
    if (strip.height <= 0) return;
    fill(context.list, strip, context.theme.panel);
    fill(context.list, {strip.x, strip.y, strip.width, context.hair()}, context.theme.line);
    const Rect& body = context.layout.table;
    fill(context.list, body, context.theme.background);
    const Rect rest = rest_of_tabs(context, draw_tabs(context, strip));
    switch (context.document.panels.bottom_tab) {
        case BottomTab::kEvents:
            draw_filter(context, rest);
            table_.draw(context);
            break;
        case BottomTab::kFlame: flame_.draw(context, body, rest); break;
        case BottomTab::kStatistics: statistics_.draw(context, body, rest); break;
        case BottomTab::kFound: found_.draw(context, body, rest); break;
        case BottomTab::kPairs: pairs_.draw(context, body, rest); break;
        case BottomTab::kMarkers: markers_.draw(context, body, rest); break;
        case BottomTab::kBookmarks: bookmarks_.draw(context, body, rest); break;
        case BottomTab::kShots: shots_.draw(context, body, rest); break;
        case BottomTab::kGaps: gaps_.draw(context, body); break;
        case BottomTab::kSql: sql_.draw(context, body, rest); break;
    }
}

}  // namespace sla::ui
