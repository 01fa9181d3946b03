#include "viewer/ui/timeline/head_menu.h"

#include "viewer/timeline/readable.h"
#include "viewer/ui/commands/actions.h"
#include "viewer/ui/commands/keymap.h"
#include "viewer/ui/widgets/forms.h"
#include "viewer/ui/widgets/item_rects.h"
#include "viewer/workspace/document.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace sla::ui {

namespace {

void hide(Context& context, const std::vector<const store::Lane*>& lanes) {
    for (const store::Lane* lane : lanes)
        context.tree.change_style(*lane, [](timeline::LaneStyle& style) { style.hidden = true; });
    context.errors.notice(fmt::format("{} {} hidden; {}", timeline::grouped(lanes.size()),
                                      lanes.size() == 1 ? "lane is" : "lanes are",
                                      context.keys.with_keys("{show-hidden} shows them")));
}

// In sight, but for the given ones.
std::vector<const store::Lane*> others(const timeline::LaneTree& tree, const std::vector<const store::Lane*>& lanes) {
    std::vector<const store::Lane*> sorted = lanes;
    std::sort(sorted.begin(), sorted.end());
    std::vector<const store::Lane*> out;
    for (const store::Lane* lane : tree.lanes()) {
        const timeline::LaneStyle& style = tree.style_of(*lane);
        if (!style.hidden && !style.pinned && !std::binary_search(sorted.begin(), sorted.end(), lane)) out.push_back(lane);
    }
    return out;
}

}  // namespace

std::vector<const store::Lane*> lanes_below(const timeline::LaneTree& tree, const std::string& head) {
    const std::string deeper = head + "/";
    const auto is_below = [&](const std::string& key) { return key == head || key.starts_with(deeper); };
    std::vector<const store::Lane*> out;
    for (const store::Lane* lane : tree.lanes()) {
        if (tree.style_of(*lane).hidden) continue;
        const timeline::TreeRow* const row = tree.row_of(lane);
        const std::string* const folded = tree.folded_under(lane);
        if ((row != nullptr && !row->pinned && is_below(row->parent)) || (folded != nullptr && is_below(*folded)))
            out.push_back(lane);
    }
    return out;
}

void HeadMenu::find_lanes(const Context& context) {
    found_in_ = context.tree.revision();
    lanes_ = lanes_below(context.tree, key_);
    others_ = others(context.tree, lanes_);
}

void HeadMenu::draw(Context& context) {
    std::string& wanted = context.document.panels.head_menu;
    if (!wanted.empty()) {
        key_ = std::exchange(wanted, {});
        find_lanes(context);
        ImGui::OpenPopup("head menu");
    }
    if (!begin_popup("head menu")) return;
    const auto& rows = context.tree.rows();
    const auto head = std::find_if(rows.begin(), rows.end(), [&](const auto& row) { return row.key == key_; });
    if (head == rows.end()) {  // its lanes are gone, or hidden
        ImGui::CloseCurrentPopup();
        ImGui::EndPopup();
        return;
    }
    form_heading(context, head->name.c_str());
    if (found_in_ != context.tree.revision()) find_lanes(context);
    if (ImGui::MenuItem("folded", nullptr, head->folded)) context.tree.toggle(key_);
    if (ImGui::MenuItem("fold or unfold all groups", context.keys.keys_of(*action_named("fold-all")).c_str()))
        run_action(context, "fold-all");
    ImGui::Separator();
    const std::string these =
        fmt::format("hide its {} {}", timeline::grouped(lanes_.size()), lanes_.size() == 1 ? "lane" : "lanes");
    if (ImGui::MenuItem(these.c_str(), nullptr, false, !lanes_.empty())) hide(context, lanes_);
    note_item("hide below");
    if (ImGui::MenuItem("hide all other lanes", nullptr, false, !lanes_.empty() && !others_.empty())) hide(context, others_);
    note_item("hide others");
    ImGui::EndPopup();
}

}  // namespace sla::ui
