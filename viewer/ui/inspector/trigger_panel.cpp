#include "viewer/ui/inspector/trigger_panel.h"

#include "proto/base/new_file.h"
#include "proto/common/trigger/trigger_words.h"
#include "viewer/timeline/readable.h"
#include "viewer/ui/commands/navigation.h"
#include "viewer/ui/widgets/forms.h"
#include "viewer/ui/widgets/key_numbers.h"
#include "viewer/ui/widgets/paint.h"
#include "viewer/ui/widgets/state_style.h"
#include "viewer/ui/widgets/widgets.h"
#include "viewer/workspace/document.h"

#include <fmt/format.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <filesystem>
#include <string_view>

namespace sla::ui {

void TriggerPanel::draw_form(Context& context) {
    form_words(context, "Watch for", context.theme.dim);  // above its field, which needs the whole width
    if (std::exchange(context.document.panels.focus_trigger, false) || focus_) ImGui::SetKeyboardFocusHere();
    focus_ = false;
    ImGui::PushFont(context.fonts.number);
    const std::string before = draft_.text;
    ImGui::InputTextMultiline("##watch", &draft_.text, {ImGui::GetContentRegionAvail().x, context.px(74)});
    if (ImGui::IsItemDeactivated() && ImGui::IsKeyPressed(kKeyEscape, false))
        draft_.text = before;  // leaves, takes nothing back
    ImGui::PopFont();
    if (ImGui::IsItemHovered() && !ImGui::IsItemActive()) tooltip_beside(context, trigger::kTriggerFooter);
    draw_answer(context);
    form_field(context, "Name", "##name", draft_.name, "trigger-1",
               "Empty: a name is given. A name that is taken: replaces it");
    form_field(context, "Window", "##window", draft_.window, "20ms", "Events kept of a shot: this long around it");
    form_label(context, "Before t = 0");
    ImGui::SetNextItemWidth(-1);
    constexpr double kNone = 0;
    constexpr double kAll = 100;
    ImGui::SliderScalar("##pre", ImGuiDataType_Double, &draft_.pre_percent, &kNone, &kAll, "%.4g %%",
                        ImGuiSliderFlags_AlwaysClamp);
    if (ImGui::IsItemHovered())
        tooltip_beside(context, "So much of the window lies before the trigger. Ctrl+click: type it");
    form_label(context, "Shots");
    ImGui::SetNextItemWidth(-1);
    constexpr std::uint64_t kOne = 1;
    ImGui::InputScalar("##shots", ImGuiDataType_U64, &draft_.shots, &kOne);
    if (ImGui::IsItemHovered()) tooltip_beside(context, "Stop after so many; 0: go on");
    if (draft_.shots == 0) form_note(context, "0: any number");
    form_field(context, "Hold-off", "##hold", draft_.hold_off, "0 s",
               "Rest this long after a shot before the next one counts");
    form_field(
        context, "Actions", "##actions", draft_.actions, "notify; stop",
        "Parted by semicolons: stop, notify, fleet, stop-guest, snapshot=FILE, run=PROGRAM ARGS. Files are the agent's, in "
        "its folder");
    if (draft_.actions.find("snapshot=") != std::string::npos) {
        form_label(context, "Keep");
        ImGui::SetNextItemWidth(-1);
        constexpr std::uint32_t kOneMore = 1;
        ImGui::InputScalar("##keep", ImGuiDataType_U32, &draft_.keep, &kOneMore);
        if (ImGui::IsItemHovered()) tooltip_beside(context, "Of its snapshots, so many of the newest; 0: all");
    }
}

// Levels from a trigger file, and to one.
void TriggerPanel::draw_file(Context& context) {
    form_field(context, "File", "##file", file_, "slow.trigger", "A trigger file: levels, as --trigger-file takes them");
    if (form_button(context, "Load", !file_.empty())) load(file_);
    ImGui::SameLine();
    if (form_button(context, "Save", !file_.empty() && draft_.is_sequencer() && problem_.empty())) {
        save(file_);
        if (file_problem_.empty()) context.errors.notice("The levels are in " + file_);
    }
    if (!draft_.is_sequencer() && ImGui::IsItemHovered())
        tooltip(context, "A file holds levels; what stands here is one line for --trigger");
    if (!file_problem_.empty()) form_words(context, file_problem_, context.theme.loss);
}

void TriggerPanel::load(const std::string& path) {
    auto file = trigger::read_trigger_file(path);
    file_problem_ = file ? std::string() : file.error().message;
    if (!file) return;
    draft_.text = std::move(file->text);
    loaded_ = path;
}

void TriggerPanel::save(const std::string& path) {
    std::error_code ignored;
    if (path != loaded_ && std::filesystem::exists(path, ignored)) {
        file_problem_ = "'" + path + "' is there already; load it first to change it, or write another name";
        return;
    }
    const Result<void> written = replace_file(path, draft_.text);
    file_problem_ = written ? std::string() : written.error().message;
    if (written) loaded_ = path;
}

// What is wrong with the text, with a mark below the column; or that it is understood.
void TriggerPanel::draw_answer(Context& context) {
    const std::size_t lanes = context.session.lanes().size();
    if (!checked_ || !(draft_ == *checked_) || checked_lanes_ != lanes) {
        checked_ = draft_;
        checked_lanes_ = lanes;
        doubts_ = draft_.doubts(context.session);
        const auto checked = draft_.check();
        problem_ = checked ? std::string() : checked.error().message;
        for (const std::string_view option : {"--trigger: ", "--trigger-file: "}) {  // no option stands here
            if (problem_.starts_with(option)) problem_.erase(0, option.size());
        }
    }
    if (draft_.is_empty()) {
        form_words(context, "net.rx > 1500\ngap net.rx > 5ms\nwidth irq.* > 50us", context.theme.dim);
        return;
    }
    if (!problem_.empty()) return draw_problem(context);
    form_words(context, draft_.is_sequencer() ? "Understood: levels." : "Understood.", context.theme.live);
    const bool shown_whole =
        text_width(context.fonts.number, draft_.text) < ImGui::GetContentRegionAvail().x - context.px(16);
    if (!shown_whole && !draft_.is_sequencer()) form_words(context, draft_.text, context.theme.dim);
    for (const std::string& doubt : doubts_) form_words(context, doubt, context.theme.loss);
}

void TriggerPanel::draw_problem(Context& context) const {
    form_words(context, std::string_view(problem_).substr(0, problem_.find('\n')), context.theme.loss);
    ImGui::PushFont(context.fonts.small_number);  // one width a letter, so that the mark stands below its column
    const float space = ImGui::GetContentRegionAvail().x / text_width(context.fonts.small_number, "0");
    const std::string part = pointed_part(problem_, static_cast<std::size_t>(std::max(space, 8.0F)));
    if (!part.empty()) form_words(context, part, context.theme.loss);
    ImGui::PopFont();
}

void TriggerPanel::edit(const store::TriggerInfo& info) {
    draft_ = TriggerDraft::of(*info.asked);
    focus_ = true;
}

void TriggerPanel::draw_trigger(Context& context, const store::TriggerInfo& info) {
    ImGui::PushID(info.name.c_str());
    ImGui::PushFont(context.fonts.strong);
    ImGui::TextUnformatted(info.name.c_str());
    ImGui::PopFont();
    ImGui::SameLine();
    form_words(context, info.state, trigger_colour(context.theme, info.state));
    form_words(context, info.expression, context.theme.dim);
    std::string numbers = fmt::format("{} {}", timeline::grouped(info.shots), info.shots == 1 ? "shot" : "shots");
    if (info.stage > 0) numbers += fmt::format(", at stage {}", info.stage + 1);
    form_words(context, numbers, context.theme.text);
    if (info.cannot_tell > 0) {
        form_words(context, fmt::format("{} times losses hid whether it happened", timeline::grouped(info.cannot_tell)),
                   context.theme.loss);
    }
    if (!info.problem.empty()) form_words(context, info.problem, context.theme.loss);
    AgentLink& agent = *context.document.agent;
    ImGui::PushFont(context.fonts.small);
    if (ImGui::Button("Arm")) agent.control_trigger(info.name, TriggerOrder::kArm);
    ImGui::SameLine();
    if (ImGui::Button("Stop")) agent.control_trigger(info.name, TriggerOrder::kStop);
    ImGui::SameLine();
    if (ImGui::Button("Fire")) agent.control_trigger(info.name, TriggerOrder::kFire);
    ImGui::SameLine();
    if (ImGui::Button("Remove")) agent.control_trigger(info.name, TriggerOrder::kRemove);
    ImGui::SameLine();
    if (form_button(context, "Edit", info.asked != nullptr)) edit(info);
    if (info.asked == nullptr && ImGui::IsItemHovered())
        tooltip(context, "The agent does not report all that it was set to");
    ImGui::PopFont();
    ImGui::Dummy({0, context.px(6)});
    ImGui::PopID();
}

void TriggerPanel::draw_triggers(Context& context) {
    const auto& triggers = context.session.health().triggers;
    if (triggers.empty()) {
        form_words(context,
                   context.session.health().known ? "The agent watches for nothing now." : "The agent has not reported yet.",
                   context.theme.dim);
        return;
    }
    if (!is_running(context.status.state))
        form_words(context, "Not connected: this is what the agent said last.", context.theme.loss);
    for (const store::TriggerInfo& info : triggers) draw_trigger(context, info);
}

void TriggerPanel::draw(Context& context, const Rect& place) {
    const Form form(context, "trigger panel", place);
    AgentLink& agent = *context.document.agent;
    if (agent.has_agent()) {
        form_heading(context, "TRIGGERS OF THE AGENT");
        draw_triggers(context);
    }
    form_heading(context, agent.has_agent() ? "NEW, OR CHANGED" : "SEARCH AS A TRIGGER");
    draw_form(context);
    draw_file(context);
    ImGui::Dummy({0, context.px(4)});
    const bool ready = problem_.empty() && !draft_.is_empty();
    if (agent.has_agent() && form_button(context, "Set and arm", ready)) draft_.order_from(agent);
    if (agent.has_agent()) ImGui::SameLine();
    if (form_button(context, "Find it here", ready)) {
        context.document.search.set(draft_.text);
        show_tab(context, BottomTab::kFound);
    }
    if (agent.busy()) form_words(context, "Asking the agent\xE2\x80\xA6", context.theme.dim);
}

}  // namespace sla::ui
