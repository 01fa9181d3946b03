// Actions on the focused lane.
#include "viewer/ui/commands/actions.h"
#include "viewer/ui/commands/preconditions.h"
#include "viewer/ui/widgets/visible_lanes.h"

#include <algorithm>
#include <array>

namespace sla::ui {

namespace {

const timeline::LaneStyle& style(const Context& c) {
    return c.tree.style_of(*c.marks.focus);
}

void step_focus(Context& context, bool down) {
    const auto& rows = context.tree.rows();
    const timeline::TreeRow* row = context.marks.focus == nullptr ? nullptr : context.tree.row_of(context.marks.focus);
    std::size_t at = row == nullptr ? 0 : static_cast<std::size_t>(row - rows.data()) + (down ? 1 : 0);
    if (down) {
        while (at < rows.size() && rows[at].lane == nullptr) ++at;
        if (at >= rows.size()) return;
    } else {
        do {
            if (at == 0) return;
            --at;
        } while (rows[at].lane == nullptr);
    }
    context.marks.focus = rows[at].lane;
    scroll_to(context, *rows[at].lane);
}

// Past its neighbour among its like.
void move_lane(Context& context, bool down) {
    const timeline::TreeRow* row = context.tree.row_of(context.marks.focus);
    if (row == nullptr) return;
    std::vector<const timeline::TreeRow*> like;
    for (const timeline::TreeRow& other : context.tree.rows()) {
        if (other.parent == row->parent && other.pinned == row->pinned) like.push_back(&other);
    }
    const auto at = std::find(like.begin(), like.end(), row);
    if (!down && at == like.begin()) return;
    if (down && at + 1 == like.end()) return;
    std::string before;
    if (!down) before = (*(at - 1))->key;
    if (down && at + 2 < like.end()) before = (*(at + 2))->key;
    context.tree.move(*row, before);
}

void toggle_look(Context& context, timeline::LaneLook look) {
    context.tree.change_style(*context.marks.focus, [look](timeline::LaneStyle& style) {
        style.look = style.look == look ? timeline::LaneLook::kAuto : look;
    });
}

const char* without_states(const Context& context) {
    if (const char* words = without_focus(context)) return words;
    return timeline::has_states(*context.marks.focus) ? nullptr : "A lane of spans has no states";
}

void next_colour(Context& context) {
    const std::size_t hue = context.tree.hue_of(*context.marks.focus) + 1;
    const std::size_t hues = context.theme.lanes.size();
    context.tree.change_style(*context.marks.focus,
                              [=](timeline::LaneStyle& style) { style.hue = static_cast<std::uint8_t>(hue % hues); });
}

// The group of the focused lane, or its source; when it is folded away, what hides it.
void fold_group(Context& context) {
    if (const std::string* head = context.tree.folded_under(context.marks.focus)) return context.tree.toggle(*head);
    const timeline::TreeRow* row = context.tree.row_of(context.marks.focus);
    if (row != nullptr && !row->parent.empty() && !row->pinned) context.tree.toggle(row->parent);
}

void fold_all(Context& context) {
    auto& folded = context.tree.arrangement.folded;
    std::vector<std::string> heads;
    for (const timeline::TreeRow& row : context.tree.rows()) {
        if (row.kind == timeline::RowKind::kGroup && row.key != timeline::kEndedKey) heads.push_back(row.key);
    }
    const bool all = std::all_of(heads.begin(), heads.end(), [&](const std::string& key) { return folded.contains(key); });
    if (all) {
        std::erase_if(folded, [](const std::string& key) { return key != timeline::kEndedKey; });
    } else {
        folded.insert(heads.begin(), heads.end());
    }
}

constexpr std::array kLaneActions{
    Action{"focus-up", "Lanes", "Focus the lane above", "K", [](Context& c) { step_focus(c, false); }, without_lanes,
           nullptr},
    Action{"focus-down", "Lanes", "Focus the lane below", "J", [](Context& c) { step_focus(c, true); }, without_lanes,
           nullptr},
    Action{"lane-up", "Lanes", "Move the lane up", "Ctrl+Up", [](Context& c) { move_lane(c, false); }, without_focus,
           nullptr},
    Action{"lane-down", "Lanes", "Move the lane down", "Ctrl+Down", [](Context& c) { move_lane(c, true); }, without_focus,
           nullptr},
    Action{"lane-menu", "Lanes", "Name, group, colour, look, offset\xE2\x80\xA6", "F2",
           [](Context& c) { c.document.panels.lane_menu = c.marks.focus; }, without_focus, nullptr},
    Action{"hide-lane", "Lanes", "Hide the lane", "H",
           [](Context& c) { c.tree.change_style(*c.marks.focus, [](timeline::LaneStyle& s) { s.hidden = !s.hidden; }); },
           without_focus, [](const Context& c) { return c.marks.focus != nullptr && style(c).hidden; }},
    Action{"show-hidden", "Lanes", "Show hidden lanes", "Shift+H",
           [](Context& c) { c.tree.arrangement.show_hidden = !c.tree.arrangement.show_hidden; }, nullptr,
           [](const Context& c) { return c.tree.arrangement.show_hidden; }},
    Action{"show-all-lanes", "Lanes", "Let no lane be hidden", "",
           [](Context& c) {
               for (const store::Lane* lane : c.tree.lanes()) {
                   c.tree.change_style(*lane, [](timeline::LaneStyle& s) { s.hidden = false; });
               }
           },
           [](const Context& c) { return c.tree.hidden() > 0 ? nullptr : "No lane is hidden"; }, nullptr},
    Action{"pin-lane", "Lanes", "Pin the lane on top", "P",
           [](Context& c) { c.tree.change_style(*c.marks.focus, [](timeline::LaneStyle& s) { s.pinned = !s.pinned; }); },
           without_focus, [](const Context& c) { return c.marks.focus != nullptr && style(c).pinned; }},
    Action{"tall-lane", "Lanes", "Make the lane tall", "Shift+T",
           [](Context& c) { c.tree.change_style(*c.marks.focus, [](timeline::LaneStyle& s) { s.tall = !s.tall; }); },
           without_focus, [](const Context& c) { return c.marks.focus != nullptr && style(c).tall; }},
    Action{"rate-look", "Lanes", "Show the lane's rate", "R", [](Context& c) { toggle_look(c, timeline::LaneLook::kRate); },
           without_focus,
           [](const Context& c) { return c.marks.focus != nullptr && style(c).look == timeline::LaneLook::kRate; }},
    Action{"state-look", "Lanes", "Show the lane as states", "Shift+S",
           [](Context& c) { toggle_look(c, timeline::LaneLook::kState); }, without_states,
           [](const Context& c) { return c.marks.focus != nullptr && style(c).look == timeline::LaneLook::kState; }},
    Action{"next-colour", "Lanes", "Give the lane the next colour", "C", next_colour, without_focus, nullptr},
    Action{"fold-group", "Lanes", "Fold the lane's group", "Backspace", fold_group, without_focus, nullptr},
    Action{"fold-all", "Lanes", "Fold or unfold all groups", "Shift+F", fold_all, nullptr, nullptr},
    Action{"reset-lanes", "Lanes", "All lanes as they were at first", "", [](Context& c) { c.tree.arrangement = {}; },
           nullptr, nullptr},
};

}  // namespace

std::span<const Action> lane_actions() {
    return kLaneActions;
}

}  // namespace sla::ui
