#include "viewer/ui/tables/sql_panel.h"

#include "viewer/ui/commands/navigation.h"
#include "viewer/ui/widgets/forms.h"
#include "viewer/ui/widgets/paint.h"
#include "viewer/ui/widgets/widgets.h"
#include "viewer/workspace/document.h"
#include "viewer/workspace/table/list_columns.h"

#include <fmt/format.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <array>

namespace sla::ui {

namespace {

constexpr std::size_t kMaxColumns = workspace::kMaxListColumns;

// What people begin with.
constexpr std::array<const char*, 4> kExamples = {
    "SELECT channel, kinds, events, lost FROM channels ORDER BY events DESC",
    "SELECT begin_tick, channel, value, duration(width_ns) AS width FROM spans ORDER BY width_ns DESC LIMIT 100",
    "SELECT tick, channel, delta_ns FROM events ORDER BY delta_ns DESC LIMIT 100",
    "SELECT tick, channel, cause, lost FROM gaps",
};

// The event of the row's channel at its tick, else the tick alone.
void go_to_row(Context& context, const SqlAnswer& answer, std::size_t row) {
    const auto tick = answer.tick(row);
    if (!tick) return;
    Hit hit;
    hit.tick = *tick;
    const auto channel = std::find(answer.columns.begin(), answer.columns.end(), "channel");
    if (channel != answer.columns.end()) {
        const auto column = static_cast<std::size_t>(channel - answer.columns.begin());
        const store::Lane* lane = context.session.lane_named(answer.cell(row, column).text);
        const std::uint64_t index = lane == nullptr ? 0 : lane->lower_bound(*tick);
        if (lane != nullptr && index < lane->size() && lane->tick(index) == *tick) {
            hit.lane = lane;
            hit.index = index;
        }
    }
    go_to_hit(context, hit);
}

}  // namespace

void SqlPanel::draw_saved(Context& context, const Rect& place) {
    std::string& text = context.document.panels.sql;
    std::vector<std::string>& saved = context.settings.questions;
    ImGui::SetCursorScreenPos(place.min());
    ImGui::SetNextItemWidth(place.width);
    ImGui::PushFont(context.fonts.small);
    if (begin_combo("##saved questions", "saved", ImGuiComboFlags_HeightLarge)) {
        for (const std::string& one : saved) {
            if (ImGui::Selectable(one.c_str(), one == text)) text = one;
        }
        if (!saved.empty()) ImGui::Separator();
        for (const char* one : kExamples) {
            if (ImGui::Selectable(one, text == one)) text = one;
        }
        ImGui::EndCombo();
    }
    ImGui::PopFont();
}

void SqlPanel::draw_question(Context& context, const Rect& place) {
    std::string& text = context.document.panels.sql;
    SqlQuestion& question = *context.document.question;
    const float side = context.px(132);
    ImGui::SetCursorScreenPos({place.x + context.px(4), place.y + context.px(4)});
    ImGui::PushFont(context.fonts.number);
    const ImVec2 size{place.width - side - context.px(16), place.height - context.px(8)};
    const bool is_entered = ImGui::InputTextMultiline(
        "##question", &text, size, ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_CtrlEnterForNewLine);
    ImGui::PopFont();
    const float x = place.right() - side;
    const float height = context.px(22);
    const float half = (side - context.px(12)) / 2;
    const float y = place.y + context.px(4);
    const bool is_busy = question.is_busy();
    const ButtonStyle ask{.label = is_busy ? "Stop" : "Ask",
                          .tooltip = "Enter asks, Ctrl+Enter begins another line",
                          .active = is_busy,
                          .enabled = is_busy || !text.empty()};
    const bool is_pressed = button(context, "ask question", {x, y, half, height}, ask);
    if (is_busy && is_pressed) question.cancel();
    if (!text.empty() && (is_entered || (is_pressed && !is_busy))) question.ask(context.source, text);
    const bool is_saved = context.settings.has_question(text);
    const ButtonStyle save{.label = is_saved ? "Forget" : "Save",
                           .tooltip = "Keeps the question from one start to the next",
                           .enabled = !text.empty()};
    if (button(context, "save question", {x + half + context.px(4), y, half, height}, save))
        context.settings.toggle_question(text);
    const float below = y + height + context.px(6);
    draw_saved(context, {x, below, half, height});
    kept_.draw(context, {x + half + context.px(4), below, half, height});
}

// With its caret below the place: in a font of one width.
void SqlPanel::draw_problem(Context& context, const Rect& place, std::string_view problem) const {
    float y = place.y + context.px(8);
    const float height = context.px(18);
    while (!problem.empty() && y + height < place.bottom()) {
        const std::size_t end = std::min(problem.find('\n'), problem.size());
        draw_text(context.list, context.fonts.number, {place.x + context.px(12), y, place.width - context.px(24), height},
                  context.theme.loss, problem.substr(0, end));
        problem.remove_prefix(std::min(end + 1, problem.size()));
        y += height;
    }
}

void SqlPanel::draw_answer(Context& context, const Rect& place) {
    const SqlAnswer& answer = context.document.question->answer();
    if (!answer.problem.empty()) return draw_problem(context, place, answer.problem);
    if (answer.columns.empty()) {
        draw_hint_text(context, place,
                       "Type a question and Enter, or choose one under \"saved\". A click on a row with a tick goes there.");
        const float line = context.px(22);
        return draw_hint_text(context, {place.x, place.y + line, place.width, place.height - line},
                              "Tables: events, spans, pairs('A', 'B'), gaps, channels, sources, threads, clocks, shots");
    }
    const std::size_t shown = std::min(answer.columns.size(), kMaxColumns);
    columns_.clear();
    for (std::size_t i = 0; i < shown; ++i) {
        const bool is_number = answer.rows() > 0 && answer.cell(0, i).is_number;
        columns_.push_back({answer.columns[i].c_str(), 120, 1.0F, is_number, answer.columns[i].c_str()});
    }
    grid_id_ = fmt::format("sql {}", columns_.size());
    const auto fill_cells = [&](std::size_t row, std::vector<GridCell>& cells) {
        for (std::size_t i = 0; i < shown; ++i) cells.push_back({answer.cell(row, i).text});
    };
    const auto clicked = grid_.draw(context, grid_id_.c_str(), place, columns_, answer.rows(), fill_cells);
    if (clicked) go_to_row(context, answer, *clicked);
}

void SqlPanel::draw(Context& context, const Rect& place, const Rect& strip) {
    const SqlQuestion& question = *context.document.question;
    std::string words = question.words();
    const std::size_t columns = question.answer().columns.size();
    if (!question.is_busy() && columns > kMaxColumns) words += fmt::format(", {} of {} columns", kMaxColumns, columns);
    draw_text(context.list, context.fonts.small, strip,
              question.answer().problem.empty() || question.is_busy() ? context.theme.dim : context.theme.loss, words,
              Align::kRight);
    const float head = std::min(context.px(62), place.height / 2);
    draw_question(context, {place.x, place.y, place.width, head});
    draw_answer(context, {place.x, place.y + head, place.width, place.height - head});
}

}  // namespace sla::ui
