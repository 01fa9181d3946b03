#include "viewer/ui/visible_lanes.h"

#include <algorithm>

namespace sla::ui {

std::vector<VisibleRow> visible_rows(const Context& context) {
    std::vector<VisibleRow> out;
    const float scale = context.layout.scale;
    const auto& rows = context.tree.rows();
    const Rect& area = context.layout.lanes;
    for (std::size_t i = context.tree.row_at(context.view.lane_scroll / scale); i < rows.size(); ++i) {
        const float y = std::round(area.y + rows[i].y * scale - context.view.lane_scroll);
        if (y >= area.bottom()) break;
        const float next = std::round(area.y + (rows[i].y + rows[i].height) * scale - context.view.lane_scroll);
        out.push_back({&rows[i], y, next - y});
    }
    return out;
}

std::vector<const store::Lane*> visible_lanes(const Context& context) {
    std::vector<const store::Lane*> lanes;
    for (const VisibleRow& visible : visible_rows(context)) {
        if (visible.row->lane != nullptr) lanes.push_back(visible.row->lane);
    }
    return lanes;
}

const store::Lane* lane_at(const Context& context, float screen_y) {
    const Rect& area = context.layout.lanes;
    if (screen_y < area.y || screen_y >= area.bottom()) return nullptr;
    const std::size_t row = context.tree.row_at((screen_y - area.y + context.view.lane_scroll) / context.layout.scale);
    return row < context.tree.rows().size() ? context.tree.rows()[row].lane : nullptr;
}

float list_height(const Context& context) {
    return std::round(context.tree.height() * context.layout.scale);
}

void scroll_to(Context& context, const store::Lane& lane) {
    const timeline::TreeRow* row = context.tree.row_of(&lane);
    if (row == nullptr) return;
    const float scale = context.layout.scale;
    const float top = row->y * scale;
    const float bottom = (row->y + row->height) * scale;
    const float shown = context.layout.lanes.height;
    if (top < context.view.lane_scroll) context.view.lane_scroll = top;
    if (bottom > context.view.lane_scroll + shown) context.view.lane_scroll = bottom - shown;
}

}  // namespace sla::ui
