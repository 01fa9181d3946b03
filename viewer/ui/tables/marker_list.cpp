#include "viewer/ui/tables/marker_list.h"

#include "viewer/timeline/readable.h"
#include "viewer/ui/commands/keymap.h"
#include "viewer/ui/widgets/forms.h"
#include "viewer/ui/widgets/paint.h"
#include "viewer/ui/widgets/widgets.h"
#include "viewer/workspace/table/list_columns.h"

#include <fmt/format.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <span>
#include <utility>

namespace sla::ui {

namespace {

constexpr std::array<GridColumn, 4> kMarkerColumns{{
    {"marker", 72, 1.0F, false, "Right click: rename or delete"},
    {"time", 136, 0, true, "Since t = 0; of a range where it begins"},
    {"length", 116, 0, true, "Of a kept range"},
    {"\xC2\xB1", 68, 0, true, "Error of the length"},
}};
constexpr float kListWidth = 484;
constexpr std::size_t kNarrowMarkerColumns = 2;  // all there are while no range is kept
constexpr float kMarkersWidth = 272;
constexpr float kMinDifferences = 300;
constexpr float kCellWidth = 188;

std::string length_text(const timeline::Measurement& of) {
    return timeline::readable_exactly(of.ps);
}

std::string error_text(const timeline::Measurement& of) {
    return timeline::readable_delta(of.error_ps);
}

}  // namespace

// Brings the chosen one into sight, in the list and among the columns.
void MarkerList::reveal(const std::vector<MarkerLine>& lines, const MarkerRef& chosen) {
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (lines[i].ref != chosen) continue;
        list_.reveal(i);
        if (i < first_column_ || i >= first_column_ + columns_) first_column_ = i;
    }
}

void MarkerList::draw_list(Context& context, const Rect& place, const std::vector<MarkerLine>& lines) {
    const auto fill_cells = [&](std::size_t row, std::vector<GridCell>& cells) {
        const MarkerLine& line = lines[row];
        cells.push_back({line.name, line.colour});
        cells.push_back({timeline::readable_time(context.time_ps(line.tick), 1'000)});
        if (line.ref.what != MarkerRef::What::kRange) return;
        const timeline::Measurement length = length_of(line, context.session);
        cells.push_back({length_text(length)});
        cells.push_back({error_text(length), context.theme.dim});
    };
    const std::size_t columns = context.marks.annotations.ranges.empty() ? kNarrowMarkerColumns : kMarkerColumns.size();
    std::optional<std::size_t> marked;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (is_chosen(context, lines[i])) marked = i;
    }
    const auto clicked = list_.draw(context, columns < kMarkerColumns.size() ? "markers" : "markers and ranges", place,
                                    std::span(kMarkerColumns).first(columns), lines.size(), fill_cells, marked);
    answer(context, lines, clicked, list_.right_clicked());
    draw_menu(context, place);
}

void MarkerList::answer(Context& context, const std::vector<MarkerLine>& lines, std::optional<std::size_t> clicked,
                        std::optional<std::size_t> right_clicked) {
    if (clicked) go_to_marker(context, lines[*clicked]);
    if (!right_clicked || *right_clicked >= lines.size()) return;
    if (lines[*right_clicked].ref.what == MarkerRef::What::kCursor) return;
    menu_line_ = lines[*right_clicked];
    name_ = menu_line_.name;
    ImGui::OpenPopup("marker menu");
}

void MarkerList::draw_menu(Context& context, const Rect& place) {
    const bool asked = std::exchange(context.document.panels.rename_marker, false);
    if (const auto chosen = asked ? chosen_marker(context) : std::nullopt) {  // by key: no mouse says where
        menu_line_ = *chosen;
        name_ = menu_line_.name;
        ImGui::SetNextWindowPos({place.x + context.px(24), place.y + context.px(24)});
        ImGui::OpenPopup("marker menu");
    }
    if (!begin_popup("marker menu")) return;
    Annotations& notes = context.marks.annotations;
    const bool range = menu_line_.ref.what == MarkerRef::What::kRange;
    ImGui::SetNextItemWidth(context.px(180));
    if (ImGui::IsWindowAppearing()) ImGui::SetKeyboardFocusHere();
    const bool entered =
        ImGui::InputText("##name", &name_, ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
    ImGui::SameLine();
    const bool there = menu_line_.ref.at < (range ? notes.ranges.size() : notes.markers.size());
    if ((ImGui::Button("Rename") || entered) && there && !name_.empty()) {
        if (is_chosen(context, menu_line_)) context.document.panels.chosen_name = name_;
        (range ? notes.ranges[menu_line_.ref.at].name : notes.markers[menu_line_.ref.at].name) = name_;
        ImGui::CloseCurrentPopup();
    }
    if (ImGui::Selectable("Delete") && there) remove_marker(context, menu_line_.ref);
    if (ImGui::Selectable("Count times from here  (t = 0)")) notes.zero = menu_line_.tick;
    ImGui::EndPopup();
}

// The columns in sight, where there is no space for all.
void MarkerList::draw_columns_choice(Context& context, const Rect& strip, std::size_t lines) {
    if (columns_ >= lines) return;
    const std::string words = fmt::format("columns {} to {} of {}", first_column_ + 1, first_column_ + columns_, lines);
    const float side = strip.height - context.px(4);
    const float width = text_width(context.fonts.small, words) + context.px(12);
    const Rect before{strip.x, strip.y + context.px(2), side, side};
    const Rect behind{before.right() + width, before.y, side, side};
    draw_text(context.list, context.fonts.small, {before.right(), strip.y, width, strip.height}, context.theme.dim, words,
              Align::kCentre);
    const ButtonStyle earlier{.label = "\xE2\x97\x82", .tooltip = "The columns before these", .enabled = first_column_ > 0};
    if (button(context, "earlier columns", before, earlier)) first_column_ -= std::min(first_column_, columns_);
    const bool more = first_column_ + columns_ < lines;
    const ButtonStyle later{.label = "\xE2\x96\xB8", .tooltip = "The columns behind these", .enabled = more};
    if (button(context, "later columns", behind, later)) first_column_ += columns_;
}

// Row minus column, for as many columns as there is space for.
void MarkerList::draw_differences(Context& context, const Rect& place, const std::vector<MarkerLine>& lines) {
    std::vector<GridColumn> columns{
        {"from \\ to", 64, 0.2F, false, "The time from the row's marker to the column's, and its error"}};
    const float space = place.width / context.layout.scale - 100;
    const auto fitting = static_cast<std::size_t>(std::max(1.0F, std::floor(space / (kCellWidth + 12))));
    columns_ = std::min({lines.size(), fitting, workspace::kMaxListColumns - columns.size()});
    first_column_ = std::min(first_column_, lines.size() - columns_);
    for (std::size_t i = 0; i < columns_; ++i) {
        columns.push_back({lines[first_column_ + i].name.c_str(), kCellWidth, 0, true});
    }
    const auto fill_cells = [&](std::size_t row, std::vector<GridCell>& cells) {
        cells.push_back({lines[row].name, lines[row].colour});
        for (std::size_t i = 0; i + 1 < columns.size(); ++i) {
            const std::size_t other = first_column_ + i;
            if (other == row) {
                cells.push_back({std::string()});
                continue;
            }
            const timeline::Measurement between = measure_between(lines[row], lines[other], context.session);
            cells.push_back({length_text(between) + " \xC2\xB1" + error_text(between)});
        }
    };
    const auto clicked = differences_.draw(context, "differences", place, columns, lines.size(), fill_cells);
    answer(context, lines, clicked, differences_.right_clicked());
}

void MarkerList::draw(Context& context, const Rect& place, const Rect& strip) {
    const std::vector<MarkerLine> lines = marker_lines(context);
    draw_text(context.list, context.fonts.small, strip, context.theme.dim,
              context.keys.with_keys("{marker}: a marker at the mouse"), Align::kRight);
    if (lines.empty()) {
        draw_hint_text(
            context, place,
            context.keys.with_keys(
                "Press {marker} over the lanes to set a marker, {keep-range} to keep what lies between A and B."));
        return;
    }
    PanelState& panels = context.document.panels;
    if (std::exchange(panels.reveal_marker, false) && panels.chosen_marker) reveal(lines, *panels.chosen_marker);
    const float list = context.px(context.marks.annotations.ranges.empty() ? kMarkersWidth : kListWidth);
    if (place.width - list < context.px(kMinDifferences)) return draw_list(context, place, lines);
    draw_list(context, {place.x, place.y, list, place.height}, lines);
    fill(context.list, {place.x + list, place.y, context.hair(), place.height}, context.theme.line);
    draw_differences(context, {place.x + list + context.hair(), place.y, place.width - list - context.hair(), place.height},
                     lines);
    draw_columns_choice(context, strip, lines.size());
}

}  // namespace sla::ui
