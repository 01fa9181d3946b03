#include "viewer/ui/timeline/lane_menu.h"

#include "proto/time/duration.h"
#include "viewer/ui/commands/kept_questions.h"
#include "viewer/ui/commands/keymap.h"
#include "viewer/ui/commands/navigation.h"
#include "viewer/ui/widgets/forms.h"
#include "viewer/ui/widgets/widgets.h"
#include "viewer/workspace/document.h"

#include <imgui_stdlib.h>

#include <algorithm>
#include <utility>

namespace sla::ui {

namespace {

// Enter ended the typing in the field that was drawn last.
bool is_entered() {
    const auto pressed = [](ImGuiKey key) { return ImGui::IsKeyPressed(ImGui::GetKeyIndex(key), false); };
    return ImGui::IsItemDeactivated() && (pressed(ImGuiKey_Enter) || pressed(ImGuiKey_KeyPadEnter));
}

}  // namespace

bool LaneMenu::draw_style(Context& context, timeline::LaneStyle& style) {
    ImGui::SetNextItemWidth(context.px(200));
    if (ImGui::IsWindowAppearing()) ImGui::SetKeyboardFocusHere();
    if (ImGui::InputTextWithHint("name", lane_->channel().name.c_str(), &title_)) style.title = title_;
    bool entered = is_entered();
    ImGui::SetNextItemWidth(context.px(200));
    ImGui::InputTextWithHint("group", "by its name", &group_);
    if (ImGui::IsItemDeactivated()) style.group = group_;  // not letter by letter: the lane would go from group to group
    entered = is_entered() || entered;
    ImGui::SetNextItemWidth(context.px(200));
    if (ImGui::InputTextWithHint("later by", "0", &offset_)) {
        const auto ps = offset_.empty() ? Result<std::int64_t>(std::int64_t{0}) : time::parse_duration(offset_);
        problem_ = ps ? std::string() : ps.error().message;
        const double ticks = ps ? static_cast<double>(*ps) * 1e-12 * context.session.clock().ticks_per_second() : 0;
        if (ps && std::abs(ticks) < 1e18) style.offset_ticks = std::llround(ticks);
    }
    entered = (is_entered() && problem_.empty()) || entered;
    if (!problem_.empty()) form_words(context, problem_, context.theme.loss);
    for (std::size_t hue = 0; hue < context.theme.lanes.size(); ++hue) {
        if (hue > 0) ImGui::SameLine();
        ImGui::PushID(static_cast<int>(hue));
        if (ImGui::ColorButton("##hue", ImGui::ColorConvertU32ToFloat4(context.theme.lane(hue)),
                               ImGuiColorEditFlags_NoTooltip, {context.px(20), context.px(20)})) {
            style.hue = static_cast<std::uint8_t>(hue);
        }
        ImGui::PopID();
    }
    ImGui::SameLine();
    if (ImGui::Button("its own")) style.hue.reset();
    ImGui::Separator();
    const auto keys = [&](const char* action) { return context.keys.keys_of(*action_named(action)); };
    const auto look = [&](const char* name, timeline::LaneLook which, const std::string& shortcut, bool is_there = true) {
        if (ImGui::MenuItem(name, shortcut.c_str(), style.look == which, is_there)) style.look = which;
    };
    look("as its events say", timeline::LaneLook::kAuto, "");
    look("events a second", timeline::LaneLook::kRate, keys("rate-look"));
    look("states", timeline::LaneLook::kState, keys("state-look"), timeline::has_states(*lane_));
    look("marks", timeline::LaneLook::kMarks, "");
    ImGui::Separator();
    ImGui::MenuItem("tall", keys("tall-lane").c_str(), &style.tall);
    ImGui::MenuItem("pinned on top", keys("pin-lane").c_str(), &style.pinned);
    ImGui::MenuItem("hidden", keys("hide-lane").c_str(), &style.hidden);
    return entered;
}

void LaneMenu::draw_links(Context& context) {
    const std::string& key = context.tree.key_of(*lane_);
    if (ImGui::BeginMenu("arrows to")) {
        for (const timeline::TreeRow& row : context.tree.rows()) {
            if (row.lane == nullptr || row.lane == lane_) continue;
            const timeline::CauseLink link{key, context.tree.key_of(*row.lane)};
            ImGui::PushID(row.lane);
            const bool on = context.tree.arrangement.has_link(link);
            if (form_choice((on ? "\xE2\x9C\x93 " : "") + row.name, on)) context.tree.arrangement.toggle_link(link);
            ImGui::PopID();
        }
        ImGui::EndMenu();
    }
    if (ImGui::IsItemHovered()) {
        tooltip(context, "An arrow from each event to the next one there that carries the same value");
    }
    if (ImGui::MenuItem("pairs from here")) {
        context.document.panels.pair_from = key;
        show_tab(context, BottomTab::kPairs);
    }
    if (ImGui::MenuItem("pairs to here")) {
        context.document.panels.pair_to = key;
        show_tab(context, BottomTab::kPairs);
    }
}

void LaneMenu::draw(Context& context) {
    if (const store::Lane* lane = std::exchange(context.document.panels.lane_menu, nullptr)) {
        key_ = context.tree.key_of(*lane);
        opening_ = true;
    }
    lane_ = context.tree.lane_of(key_);  // looked up anew: the lane of a question goes with its answer
    if (lane_ == nullptr) return;
    if (opening_) {
        const timeline::LaneStyle& style = context.tree.style_of(*lane_);
        title_ = style.title;
        group_ = style.group;
        offset_.clear();
        if (style.offset_ticks != 0)
            offset_ = time::format_duration(context.session.clock().ticks_to_ps(style.offset_ticks));
        problem_.clear();
        context.marks.focus = lane_;
        ImGui::OpenPopup("lane menu");
    }
    opening_ = false;
    if (!begin_popup("lane menu")) return;
    form_heading(context, lane_->channel().name.c_str());
    timeline::LaneStyle style = context.tree.style_of(*lane_);
    const bool entered = draw_style(context, style);
    context.tree.set_style(*lane_, style);
    ImGui::Separator();
    draw_links(context);
    const store::Ledger* ledger = context.session.ledger(lane_->channel().id);
    if (context.tree.is_derived(*lane_)) {
        if (ImGui::MenuItem("forget this question")) forget_question(context, lane_->channel().name);
    } else if (context.document.agent->has_agent()) {
        const bool off = ledger != nullptr && ledger->off;
        if (ImGui::MenuItem("recorded", nullptr, !off)) context.document.agent->switch_channel(lane_->channel().name, off);
        if (ImGui::MenuItem("filter, keep for\xE2\x80\xA6")) show_panel(context, InspectorTab::kAgent);
    }
    if (entered) ImGui::CloseCurrentPopup();  // behind the menu in it, which closes with it
    ImGui::EndPopup();
}

}  // namespace sla::ui
