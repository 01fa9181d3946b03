#include "viewer/ui/timeline/lane_drag.h"

#include "viewer/ui/widgets/paint.h"

#include <algorithm>

namespace sla::ui {

namespace {

constexpr float kBegins = 5;  // pixels

// The person's own group that a row belongs to or is the head of; "" none.
std::string own_group(const timeline::TreeRow& row) {
    const std::string& key = row.lane == nullptr ? row.key : row.parent;
    return key.starts_with('@') ? key.substr(1) : std::string();
}

}  // namespace

void LaneDrag::begin(const Context& context) {
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    if (!context.layout.names.contains(mouse) || !ImGui::IsMouseClicked(0) ||
        !ImGui::IsWindowHovered(ImGuiHoveredFlags_AllowWhenBlockedByActiveItem))
        return;
    const auto under = row_at(context, mouse.y);
    if (!under) return;
    dragged_ = under->row->key;
    pressed_y_ = mouse.y;
    moved_ = false;
}

const timeline::TreeRow* LaneDrag::dragged(const Context& context) const {
    const auto& rows = context.tree.rows();
    const auto found = std::find_if(rows.begin(), rows.end(), [&](const auto& row) { return row.key == dragged_; });
    return found == rows.end() ? nullptr : &*found;
}

LaneDrag::Target LaneDrag::target(const Context& context, const timeline::TreeRow& row, const VisibleRow* under) {
    Target target;
    const bool may_join = under != nullptr && row.lane != nullptr && !row.pinned;
    if (may_join && own_group(*under->row) != context.tree.style_of(*row.lane).group) {
        target.group = own_group(*under->row);
        return target;
    }
    const auto& rows = context.tree.rows();
    const auto sibling = [&](const timeline::TreeRow& other) {
        return other.parent == row.parent && other.pinned == row.pinned;
    };
    auto at = under == nullptr ? rows.end() : rows.begin() + (under->row - rows.data());
    if (under != nullptr && ImGui::GetIO().MousePos.y > under->y + under->height / 2) ++at;
    while (at != rows.end() && !sibling(*at)) ++at;
    if (at != rows.end()) target.before = at->key;
    const timeline::TreeRow* last = &row;
    for (const timeline::TreeRow& other : rows) last = sibling(other) ? &other : last;
    const float y = at != rows.end() ? at->y : last->y + last->height;
    const float scroll = row.pinned ? 0 : context.view.lane_scroll;
    target.line = std::round(context.layout.names.y + y * context.layout.scale - scroll);
    return target;
}

void LaneDrag::show(Context& context, const Target& target, const VisibleRow* under) {
    const Rect& area = context.layout.names;
    const ImU32 accent = context.theme.accent;
    if (target.group) {
        const Rect row{area.x, under->y, area.width, under->height};
        context.list.AddRect({row.x, row.y}, {row.right(), row.bottom()}, accent, context.px(3), 0, context.hair() * 2);
    } else if (target.line >= area.y) {
        fill(context.list, {area.x, target.line - context.hair(), area.width, context.hair() * 2}, accent);
    }
}

void LaneDrag::drop(Context& context, const timeline::TreeRow& row, const Target& target) {
    if (!target.group) {
        context.tree.move(row, target.before);
        return;
    }
    context.tree.change_style(*row.lane, [&](timeline::LaneStyle& style) { style.group = *target.group; });
}

void LaneDrag::step(Context& context) {
    if (dragged_.empty()) {
        begin(context);
        return;
    }
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    moved_ = moved_ || std::abs(mouse.y - pressed_y_) >= context.px(kBegins);
    const timeline::TreeRow* row = dragged(context);
    const auto under = row_at(context, mouse.y);
    const bool is_over_list = mouse.y >= context.layout.names.y && mouse.y < context.layout.names.bottom();
    const bool held = row != nullptr && ImGui::IsMouseDown(0);
    if (row != nullptr && moved_ && is_over_list) {
        const Target where = target(context, *row, under ? &*under : nullptr);
        if (held) {
            show(context, where, under ? &*under : nullptr);
        } else {
            drop(context, *row, where);
        }
    } else if (row != nullptr && !held && !moved_ && row->lane == nullptr) {
        context.tree.toggle(dragged_);
    }
    if (!held) dragged_.clear();
}

}  // namespace sla::ui
