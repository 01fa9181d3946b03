#include "viewer/ui/commands/palette.h"

#include "viewer/timeline/readable.h"
#include "viewer/ui/commands/go_to.h"
#include "viewer/ui/commands/keymap.h"
#include "viewer/ui/widgets/forms.h"
#include "viewer/ui/widgets/paint.h"
#include "viewer/ui/widgets/visible_lanes.h"
#include "viewer/ui/widgets/widgets.h"
#include "viewer/workspace/document.h"
#include "viewer/workspace/search/fuzzy.h"

#include <fmt/format.h>
#include <imgui_stdlib.h>

#include <algorithm>

namespace sla::ui {

namespace {

constexpr std::size_t kMaxShown = 14;
constexpr std::size_t kLookedAtAFrame = 512;  // lanes, some two microseconds each
constexpr int kPlaceScore = 1'000'000;        // a time is meant as one

}  // namespace

void Palette::add(std::string name, std::string keys, bool enabled, std::function<void(Context&)> run) {
    const auto score = fuzzy_score(typed_, name);
    if (!score) return;
    entries_.push_back({std::move(name), std::move(keys), enabled, std::move(run), *score + (enabled ? 1 : 0)});
}

// What leads from the focused lane to another.
void Palette::collect_from(Context& context, const store::Lane& focus, const store::Lane& other) {
    if (&other == &focus) return;
    const std::string& from = context.tree.title_of(focus);
    const timeline::CauseLink link{context.tree.key_of(focus), context.tree.key_of(other)};
    const std::string& to = context.tree.title_of(other);
    const bool on = context.tree.arrangement.has_link(link);
    add(fmt::format("{} {} to {}", on ? "No arrows from" : "Arrows from", from, to), "", true,
        [link](Context& at) { at.tree.arrangement.toggle_link(link); });
    add(fmt::format("Pairs from {} to {}", from, to), "", true, [link](Context& at) {
        run_action(at, "pairs");
        at.document.panels.pair_from = link.from;
        at.document.panels.pair_to = link.to;
    });
}

void Palette::collect_lane(Context& context, const store::Lane& lane) {
    add("Lane: " + lane_label(context, lane), "", true, [key = context.tree.key_of(lane)](Context& at) {
        const store::Lane* const found = at.tree.lane_of(key);  // the lane of a question goes with its answer
        if (found == nullptr) return;
        at.marks.focus = found;
        scroll_to(at, *found);
    });
}

void Palette::collect(Context& context, std::size_t most_lanes) {
    const auto& lanes = context.tree.lanes();
    for (; turn_ != Turn::kDone && most_lanes > 0; --most_lanes) {
        if (next_lane_ == lanes.size()) {
            turn_ = turn_ == Turn::kFromFocus ? Turn::kLanes : Turn::kDone;
            next_lane_ = 0;
            continue;
        }
        const store::Lane& lane = *lanes[next_lane_++];
        if (turn_ == Turn::kFromFocus) {
            collect_from(context, *focus_, lane);
        } else {
            collect_lane(context, lane);
        }
    }
    keep_best();
}

// Of equals the one that came first.
void Palette::keep_best() {
    const auto better = [](const Entry& a, const Entry& b) { return a.score > b.score; };
    std::stable_sort(entries_.begin(), entries_.end(), better);
    if (entries_.size() > kMaxShown) entries_.resize(kMaxShown);
}

void Palette::begin(Context& context) {
    entries_.clear();
    for (const Action& action : actions()) {
        const bool can = unmet_precondition(context, action).empty();
        add(fmt::format("{}: {}", action.group, action.title), context.keys.keys_of(action), can,
            [&action](Context& at) { run_action(at, action); });
    }
    for (const Marker& marker : context.marks.annotations.markers) {
        add("Marker: " + marker.name, "", true, [tick = marker.tick](Context& at) { at.view.go_to(tick); });
    }
    for (const auto& [digit, mark] : context.marks.annotations.bookmarks) {
        const std::int64_t middle_ps = context.time_ps(mark.range.first + mark.range.length() / 2);
        add(fmt::format("Bookmark {}: {}", digit, mark.note.empty() ? timeline::readable_delta(middle_ps) : mark.note), "",
            true, [range = mark.range](Context& at) { at.view.show(range); });
        add(fmt::format("Note of bookmark {}\xE2\x80\xA6 {}", digit, mark.note), "", true, [digit = digit](Context& at) {
            run_action(at, "bookmarks");
            at.document.panels.bookmark_to_note = digit;
        });
        add(fmt::format("Delete bookmark {} {}", digit, mark.note), "", true,
            [digit = digit](Context& at) { at.marks.annotations.bookmarks.erase(digit); });
    }
    if (parse_place(typed_, context.session, context.marks.zero_ps(context.session))) {
        entries_.push_back({"Go to " + typed_, "", true,
                            [place = typed_](Context& at) {
                                if (const auto gone = go_to_place(at, place); !gone) at.errors.notice(gone.error().message);
                            },
                            kPlaceScore});
    }
    chosen_ = 0;
    focus_ = context.marks.focus;
    seen_tree_ = context.tree.revision();
    turn_ = focus_ != nullptr ? Turn::kFromFocus : Turn::kLanes;
    next_lane_ = 0;
}

void Palette::draw_entries(Context& context, bool entered) {
    const std::size_t before = chosen_;
    if (ImGui::IsKeyPressed(kKeyDown) && chosen_ + 1 < entries_.size()) ++chosen_;
    if (ImGui::IsKeyPressed(kKeyUp) && chosen_ > 0) --chosen_;
    const bool moved = chosen_ != before;
    for (std::size_t i = 0; i < entries_.size(); ++i) {
        Entry& entry = entries_[i];
        ImGui::PushID(static_cast<int>(i));
        const ImVec2 at = ImGui::GetCursorScreenPos();
        const float width = ImGui::GetContentRegionAvail().x;
        const float height = context.px(24);
        const bool clicked = ImGui::Selectable("##entry", i == chosen_, 0, {width, height});
        ImDrawList& list = *ImGui::GetWindowDrawList();
        const ImU32 colour = entry.enabled ? context.theme.text : faded(context.theme.dim, 0.7F);
        const float keys = text_width(context.fonts.small, entry.keys);
        const Rect line{at.x, at.y, width, height};
        draw_text(list, context.fonts.text, {line.x + context.px(6), line.y, width - keys - context.px(24), height}, colour,
                  entry.name);
        draw_text(list, context.fonts.small, line.inset(context.px(6), 0), context.theme.dim, entry.keys, Align::kRight);
        ImGui::PopID();
        if (moved && i == chosen_) ImGui::SetScrollHereY();
        if (!clicked && !(entered && i == chosen_)) continue;  // what cannot be done says why
        const auto run = entry.run;
        ImGui::CloseCurrentPopup();
        run(context);
        return;
    }
    if (entries_.empty()) ImGui::TextColored(ImGui::ColorConvertU32ToFloat4(context.theme.dim), "Nothing of that name.");
}

void Palette::draw(Context& context) {
    if (opening_) {
        ImGui::OpenPopup("palette");
        typed_.clear();
        stale_ = true;
    }
    const Rect& window = context.layout.window;
    ImGui::SetNextWindowPos({window.x + window.width / 2, context.layout.toolbar.bottom() + context.px(8)}, ImGuiCond_Always,
                            {0.5F, 0.0F});
    const float least = std::min(context.px(584), window.width - context.px(16));
    ImGui::SetNextWindowSizeConstraints(
        {least, 0}, {least, std::max(context.px(80), window.bottom() - context.layout.toolbar.bottom() - context.px(24))});
    if (!begin_popup("palette")) {
        opening_ = false;
        return;
    }
    if (opening_) ImGui::SetKeyboardFocusHere();
    opening_ = false;
    ImGui::SetNextItemWidth(-1);
    const std::string before = typed_;
    const bool entered = ImGui::InputTextWithHint("##typed", "What do you want to do, or where to go?", &typed_,
                                                  ImGuiInputTextFlags_EnterReturnsTrue);
    const bool are_lanes_others = turn_ != Turn::kDone && seen_tree_ != context.tree.revision();
    if (stale_ || typed_ != before || are_lanes_others) begin(context);
    stale_ = false;
    if (turn_ != Turn::kDone) collect(context, entered ? ~std::size_t{0} : kLookedAtAFrame);
    draw_entries(context, entered);
    ImGui::EndPopup();
}

void draw_menu(Context& context) {
    if (!begin_popup("menu")) return;
    const auto all = actions();
    for (std::size_t i = 0; i < all.size();) {
        const std::string_view group = all[i].group;
        const bool open = ImGui::BeginMenu(all[i].group);
        for (; i < all.size() && group == all[i].group; ++i) {
            if (!open) continue;
            const Action& action = all[i];
            const std::string precondition = unmet_precondition(context, action);
            const bool on = action.on != nullptr && action.on(context);
            const bool clicked =
                ImGui::MenuItem(action.title, context.keys.keys_of(action).c_str(), on, precondition.empty());
            if (clicked) run_action(context, action);
            if (!precondition.empty() && ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled))
                tooltip(context, precondition);
        }
        if (open) ImGui::EndMenu();
    }
    ImGui::EndPopup();
}

}  // namespace sla::ui
