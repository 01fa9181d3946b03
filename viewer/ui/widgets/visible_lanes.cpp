#include "viewer/ui/widgets/visible_lanes.h"

#include "viewer/formats/names.h"

#include <algorithm>

namespace sla::ui {

namespace {

VisibleRow placed(const Context& context, const timeline::TreeRow& row, float scroll) {
    const float scale = context.layout.scale;
    const Rect& area = context.layout.lanes;
    const float y = std::round(area.y + row.y * scale - scroll);
    const float next = std::round(area.y + (row.y + row.height) * scale - scroll);
    return {&row, y, next - y};
}

}  // namespace

float pinned_bottom(const Context& context) {
    const Rect& area = context.layout.lanes;
    return std::min(area.bottom(), std::round(area.y + context.tree.pinned_height() * context.layout.scale));
}

std::vector<VisibleRow> visible_rows(const Context& context) {
    std::vector<VisibleRow> out;
    const auto& rows = context.tree.rows();
    const Rect& area = context.layout.lanes;
    for (const timeline::TreeRow& row : rows) {
        if (!row.pinned) break;
        out.push_back(placed(context, row, 0));
        if (out.back().y >= area.bottom()) return out;
    }
    const float scale = context.layout.scale;
    const float top = context.tree.pinned_height() + context.view.lane_scroll / scale;
    for (std::size_t i = context.tree.row_at(top); i < rows.size(); ++i) {
        const VisibleRow row = placed(context, rows[i], context.view.lane_scroll);
        if (row.y >= area.bottom()) break;
        out.push_back(row);
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

std::optional<VisibleRow> row_at(const Context& context, float screen_y) {
    const Rect& area = context.layout.lanes;
    if (screen_y < area.y || screen_y >= area.bottom()) return std::nullopt;
    const float scroll = screen_y < pinned_bottom(context) ? 0 : context.view.lane_scroll;
    const std::size_t row = context.tree.row_at((screen_y - area.y + scroll) / context.layout.scale);
    if (row >= context.tree.rows().size()) return std::nullopt;
    return placed(context, context.tree.rows()[row], scroll);
}

const store::Lane* lane_at(const Context& context, float screen_y) {
    const auto row = row_at(context, screen_y);
    return row ? row->row->lane : nullptr;
}

float list_height(const Context& context) {
    return std::round(context.tree.height() * context.layout.scale);
}

std::string lane_label(const Context& context, const store::Lane& lane) {
    const std::string& title = context.tree.title_of(lane);
    if (!context.tree.are_names_shared() || context.tree.is_derived(lane)) return title;
    return title + " of " + formats::process_text(context.session, lane);
}

void scroll_to(Context& context, const store::Lane& lane) {
    const timeline::TreeRow* row = context.tree.row_of(&lane);
    if (row == nullptr || row->pinned) return;
    const float scale = context.layout.scale;
    const float top = (row->y - context.tree.pinned_height()) * scale;
    const float bottom = (row->y + row->height) * scale;
    const float shown = context.layout.lanes.height;
    if (top < context.view.lane_scroll) context.view.lane_scroll = top;
    if (bottom > context.view.lane_scroll + shown) context.view.lane_scroll = bottom - shown;
}

Rect row_clip(const Context& context, const VisibleRow& row, const Rect& area) {
    const float top = row.row->pinned ? area.y : std::max(area.y, pinned_bottom(context));
    return {area.x, top, area.width, std::max(0.0F, area.bottom() - top)};
}

}  // namespace sla::ui
