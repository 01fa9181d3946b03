#include "viewer/ui/trigger_panel.h"

#include "proto/trigger/trigger_words.h"
#include "viewer/timeline/readable.h"
#include "viewer/ui/chord.h"
#include "viewer/ui/desk.h"
#include "viewer/ui/forms.h"
#include "viewer/ui/state_look.h"
#include "viewer/ui/widgets.h"

#include <fmt/format.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <sstream>
#include <string_view>

namespace sla::ui {

bool TriggerDraft::is_sequencer() const {
    std::istringstream words(text);
    for (std::string line; std::getline(words, line);) {
        std::istringstream in_line(line);
        std::string first;
        if (!(in_line >> first) || first.front() == '#') continue;
        return first == "level";
    }
    return false;
}

namespace {

Result<wire::SetTrigger> request_of(const TriggerDraft& draft) {
    trigger::TriggerWords words;
    (draft.is_sequencer() ? words.files : words.expressions).push_back(draft.text);
    words.name = draft.name;
    words.window = draft.window;
    words.pre = fmt::format("{}%", draft.pre_percent);
    words.hold_off = draft.hold_off;
    words.shots = static_cast<std::uint64_t>(std::max(draft.shots, 0));
    std::istringstream parts(draft.actions);
    for (std::string action; std::getline(parts, action, ';');) {
        const std::size_t begin = action.find_first_not_of(' ');
        if (begin == std::string::npos) continue;
        words.actions.push_back(action.substr(begin, action.find_last_not_of(' ') - begin + 1));
    }
    const auto requests = trigger::to_requests(words);
    if (!requests) return requests.error();
    if (requests->empty()) return invalid_input("say what to look for");
    return requests->front();
}

}  // namespace

Result<void> TriggerDraft::check() const {
    const auto request = request_of(*this);
    return request ? Result<void>() : request.error();
}

void TriggerDraft::order_from(AgentLink& agent) const {
    auto request = request_of(*this);
    if (!request) return;
    wire::Request message;
    *message.mutable_set_trigger() = std::move(*request);
    agent.send(message);
}

void TriggerPanel::draw_form(Context& context) {
    form_words(context, "Watch for", context.theme.dim);  // above its field, which needs the whole width
    if (focus_) ImGui::SetKeyboardFocusHere();
    focus_ = false;
    ImGui::PushFont(context.fonts.number);
    const std::string before = draft_.text;
    ImGui::InputTextMultiline("##watch", &draft_.text, {ImGui::GetContentRegionAvail().x, context.px(74)});
    if (ImGui::IsItemDeactivated() && ImGui::IsKeyPressed(kKeyEscape, false))
        draft_.text = before;  // leaves, takes nothing back
    ImGui::PopFont();
    if (ImGui::IsItemHovered() && !ImGui::IsItemActive()) tooltip(context, trigger::kTriggerFooter);
    draw_answer(context);
    form_field(context, "Name", "##name", draft_.name, "trigger-1",
               "Empty: a name is given. A name that is taken: replaces it");
    form_field(context, "Window", "##window", draft_.window, "20ms", "Events kept of a shot: this long around it");
    form_label(context, "Before t = 0");
    ImGui::SetNextItemWidth(-1);
    ImGui::SliderInt("##pre", &draft_.pre_percent, 0, 100, "%d %%");
    form_label(context, "Shots");
    ImGui::SetNextItemWidth(-1);
    ImGui::InputInt("##shots", &draft_.shots, 1, 10);
    if (ImGui::IsItemHovered()) tooltip(context, "Stop after so many; 0: go on");
    draft_.shots = std::clamp(draft_.shots, 0, 1'000'000);
    form_field(context, "Hold-off", "##hold", draft_.hold_off, "0",
               "Rest this long after a shot before the next one counts");
    form_field(context, "Actions", "##actions", draft_.actions, "notify; stop",
               "Parted by semicolons: stop, notify, snapshot=FILE, run=PROGRAM ARGS. Files are the agent's, in its folder");
}

// What is wrong with the text, with a mark below the column; or that it is understood, and the button.
void TriggerPanel::draw_answer(Context& context) {
    const std::string words = draft_.text + "\n" + draft_.window + "\n" + draft_.hold_off + "\n" + draft_.actions;
    if (words != checked_) {
        checked_ = words;
        const auto checked = draft_.check();
        problem_ = checked ? std::string() : checked.error().message;
        for (const std::string_view option : {"--trigger: ", "--trigger-file: "}) {  // no option stands here
            if (problem_.starts_with(option)) problem_.erase(0, option.size());
        }
    }
    if (draft_.text.find_first_not_of(" \n\t") == std::string::npos) {
        form_words(context, "net.rx > 1500   \xC2\xB7   gap net.rx > 5ms   \xC2\xB7   width irq.* > 50us",
                   context.theme.dim);
        return;
    }
    if (problem_.empty()) {
        form_words(context, draft_.is_sequencer() ? "Understood: levels." : "Understood.", context.theme.live);
    } else {
        ImGui::PushFont(context.fonts.small_number);  // one width a letter, so that the mark stands below its column
        form_words(context, problem_, context.theme.loss);
        ImGui::PopFont();
    }
}

// The agent tells name and expression of a trigger; the rest is known here when it was set here.
void TriggerPanel::edit(Context& context, const store::TriggerInfo& info) {
    if (const auto known = set_here_.find(info.name); known != set_here_.end()) {
        draft_ = known->second;
    } else if (info.expression.starts_with("levels: ")) {
        context.errors.notice("The agent does not tell the levels of a trigger that was set elsewhere");
        return;
    } else {
        draft_ = {};
        draft_.name = info.name;
        draft_.text = info.expression;
        context.errors.notice("It was set elsewhere: look at window, shots and actions before you set it anew");
    }
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
    AgentLink& agent = context.desk.agent;
    ImGui::PushFont(context.fonts.small);
    if (ImGui::Button("Arm")) agent.control_trigger(info.name, TriggerOrder::kArm);
    ImGui::SameLine();
    if (ImGui::Button("Stop")) agent.control_trigger(info.name, TriggerOrder::kStop);
    ImGui::SameLine();
    if (ImGui::Button("Fire")) agent.control_trigger(info.name, TriggerOrder::kFire);
    ImGui::SameLine();
    if (ImGui::Button("Remove")) agent.control_trigger(info.name, TriggerOrder::kRemove);
    ImGui::SameLine();
    if (ImGui::Button("Edit")) edit(context, info);
    ImGui::PopFont();
    ImGui::Dummy({0, context.px(6)});
    ImGui::PopID();
}

void TriggerPanel::draw_triggers(Context& context) {
    const auto& triggers = context.session.health().triggers;
    if (triggers.empty()) {
        form_words(context,
                   context.session.health().known ? "The agent watches for nothing now." : "The agent has not told yet.",
                   context.theme.dim);
        return;
    }
    if (!is_running(context.status.state))
        form_words(context, "Not connected: this is what the agent said last.", context.theme.loss);
    for (const store::TriggerInfo& info : triggers) draw_trigger(context, info);
}

void TriggerPanel::draw(Context& context, const Rect& place) {
    const Form form(context, "trigger panel", place);
    AgentLink& agent = context.desk.agent;
    if (agent.has_agent()) {
        form_heading(context, "TRIGGERS OF THE AGENT");
        draw_triggers(context);
    }
    form_heading(context, agent.has_agent() ? "NEW, OR CHANGED" : "SEARCH AS A TRIGGER");
    draw_form(context);
    ImGui::Dummy({0, context.px(4)});
    const bool ready = problem_.empty() && draft_.text.find_first_not_of(" \n\t") != std::string::npos;
    if (agent.has_agent() && form_button(context, "Set and arm", ready)) {
        draft_.order_from(agent);
        set_here_[draft_.name] = draft_;
    }
    if (agent.has_agent()) ImGui::SameLine();
    if (form_button(context, "Find it here", ready)) {
        context.desk.search.set(draft_.text);
        context.desk.drawer.show(DrawerTab::kFound);
    }
    if (agent.busy()) form_words(context, "Asking the agent\xE2\x80\xA6", context.theme.dim);
}

}  // namespace sla::ui
