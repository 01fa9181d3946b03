#include "viewer/ui/marker_list.h"

#include "viewer/timeline/cursor.h"
#include "viewer/timeline/readable.h"
#include "viewer/ui/actions.h"
#include "viewer/ui/forms.h"
#include "viewer/ui/paint.h"
#include "viewer/ui/widgets.h"

#include <fmt/format.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <span>

namespace sla::ui {

namespace {

constexpr std::array<GridColumn, 4> kColumns{{
    {"marker", 72, 1.0F, false, "Right click: rename or delete"},
    {"time", 136, 0, true, "Since t = 0; of a range where it begins"},
    {"length", 116, 0, true, "Of a kept range"},
    {"\xC2\xB1", 68, 0, true, "Error of the length"},
}};
constexpr float kListWidth = 484;
constexpr std::size_t kColumnsOfMarkers = 2;  // all there are while no range is kept
constexpr float kMarkersWidth = 272;
constexpr float kLeastDifferences = 300;
constexpr float kCellWidth = 188;

std::string length_text(const time::ClockMap& clock, std::uint64_t from, std::uint64_t to) {
    return timeline::readable_exactly(clock.ticks_to_ps(static_cast<std::int64_t>(to - from)));
}

// As of the cursors, which markers and ranges are made of.
std::string error_text(const time::ClockMap& clock, std::uint64_t from, std::uint64_t to) {
    return timeline::readable_delta(clock.error_between(from, to, timeline::kCursorStamps));
}

}  // namespace

std::vector<MarkerList::Line> MarkerList::lines_of(const Context& context) const {
    std::vector<Line> lines;
    const auto& cursors = context.view.cursors;
    if (cursors.a) lines.push_back({"A", cursors.a->tick, context.theme.cursor_a, Line::What::kCursor});
    if (cursors.b) lines.push_back({"B", cursors.b->tick, context.theme.cursor_b, Line::What::kCursor});
    const Notes& notes = context.view.notes;
    for (std::size_t i = 0; i < notes.markers.size(); ++i) {
        lines.push_back({notes.markers[i].name, notes.markers[i].tick, context.theme.text, Line::What::kMarker, i});
    }
    for (std::size_t i = 0; i < notes.ranges.size(); ++i) {
        const KeptRange& range = notes.ranges[i];
        lines.push_back({range.name, range.from, context.theme.text, Line::What::kRange, i, range.to});
    }
    std::stable_sort(lines.begin(), lines.end(), [](const Line& a, const Line& b) { return a.tick < b.tick; });
    return lines;
}

void MarkerList::draw_list(Context& context, const Rect& place, const std::vector<Line>& lines) {
    const time::ClockMap& clock = context.session.clock();
    const auto fill_cells = [&](std::size_t row, std::vector<GridCell>& cells) {
        const Line& line = lines[row];
        cells.push_back({line.name, line.colour});
        cells.push_back({timeline::readable_time(context.time_ps(line.tick), 1'000)});
        if (line.what != Line::What::kRange) return;
        cells.push_back({length_text(clock, line.tick, line.until)});
        cells.push_back({error_text(clock, line.tick, line.until), context.theme.dim});
    };
    const std::size_t columns = context.view.notes.ranges.empty() ? kColumnsOfMarkers : kColumns.size();
    const auto clicked = list_.draw(context, place, std::span(kColumns).first(columns), lines.size(), fill_cells,
                                    chosen_ < lines.size() ? std::optional(chosen_) : std::nullopt);
    if (clicked) {
        chosen_ = *clicked;
        const Line& line = lines[*clicked];
        if (line.what == Line::What::kRange && line.until > line.tick) {
            context.view.show({line.tick, line.until}, 0.1);
        } else {
            context.view.go_to(line.tick);
        }
    }
    if (const auto row = list_.right_clicked(); row && *row < lines.size() && lines[*row].what != Line::What::kCursor) {
        menu_line_ = lines[*row];
        name_ = menu_line_.name;
        ImGui::OpenPopup("marker menu");
    }
    draw_menu(context);
}

void MarkerList::draw_menu(Context& context) {
    if (!begin_popup("marker menu")) return;
    Notes& notes = context.view.notes;
    const bool range = menu_line_.what == Line::What::kRange;
    ImGui::SetNextItemWidth(context.px(180));
    if (ImGui::IsWindowAppearing()) ImGui::SetKeyboardFocusHere();
    const bool entered =
        ImGui::InputText("##name", &name_, ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
    ImGui::SameLine();
    const bool there = menu_line_.at < (range ? notes.ranges.size() : notes.markers.size());
    if ((ImGui::Button("Rename") || entered) && there && !name_.empty()) {
        (range ? notes.ranges[menu_line_.at].name : notes.markers[menu_line_.at].name) = name_;
        ImGui::CloseCurrentPopup();
    }
    if (ImGui::Selectable("Delete") && there) {
        const auto at = static_cast<std::ptrdiff_t>(menu_line_.at);
        if (range) {
            notes.ranges.erase(notes.ranges.begin() + at);
        } else {
            notes.markers.erase(notes.markers.begin() + at);
        }
    }
    if (ImGui::Selectable("Count times from here  (t = 0)")) notes.zero = menu_line_.tick;
    ImGui::EndPopup();
}

// Row minus column, for as many columns as there is room for.
void MarkerList::draw_differences(Context& context, const Rect& place, const std::vector<Line>& lines) {
    std::vector<GridColumn> columns{
        {"from \\ to", 64, 0.2F, false, "The time from the row's marker to the column's, and its error"}};
    const float room = place.width / context.layout.scale - 100;
    const auto most = static_cast<std::size_t>(std::max(1.0F, std::floor(room / (kCellWidth + 12))));
    for (std::size_t i = 0; i < std::min(lines.size(), most); ++i) {
        columns.push_back({lines[i].name.c_str(), kCellWidth, 0, true});
    }
    const time::ClockMap& clock = context.session.clock();
    const auto fill_cells = [&](std::size_t row, std::vector<GridCell>& cells) {
        cells.push_back({lines[row].name, lines[row].colour});
        for (std::size_t i = 0; i + 1 < columns.size(); ++i) {
            const std::uint64_t from = lines[row].tick;
            const std::uint64_t to = lines[i].tick;
            cells.push_back(
                {i == row ? std::string() : length_text(clock, from, to) + " \xC2\xB1" + error_text(clock, from, to)});
        }
    };
    ImGui::PushID("differences");
    differences_.draw(context, place, columns, lines.size(), fill_cells);
    ImGui::PopID();
}

void MarkerList::draw(Context& context, const Rect& place, const Rect& strip) {
    const std::vector<Line> lines = lines_of(context);
    const Action& add = *action_named("marker");
    draw_text(context.list, context.fonts.small, strip, context.theme.dim,
              fmt::format("{}: a marker at the mouse", context.keys.keys_of(add)), Align::kRight);
    if (lines.empty()) {
        draw_hint_text(context, place, "Press M over the lanes to set a marker, Shift+M to keep what lies between A and B.");
        return;
    }
    const float list = context.px(context.view.notes.ranges.empty() ? kMarkersWidth : kListWidth);
    if (place.width - list < context.px(kLeastDifferences)) return draw_list(context, place, lines);
    draw_list(context, {place.x, place.y, list, place.height}, lines);
    fill(context.list, {place.x + list, place.y, context.hair(), place.height}, context.theme.line);
    draw_differences(context, {place.x + list + context.hair(), place.y, place.width - list - context.hair(), place.height},
                     lines);
}

}  // namespace sla::ui
