#include "viewer/ui/timeline/lanes_mouse.h"

#include "viewer/ui/commands/navigation.h"
#include "viewer/ui/widgets/paint.h"
#include "viewer/ui/widgets/visible_lanes.h"
#include "viewer/ui/widgets/widgets.h"

#include <algorithm>

namespace sla::ui {

namespace {

constexpr double kWheelZoom = 0.8;
constexpr double kFineZoom = 0.95;
constexpr double kWheelPanShare = 0.1;  // of the view
constexpr float kClickReach = 4;        // a press that moves less is a click
constexpr float kCursorReach = 5;

bool near_tick(const Context& context, std::uint64_t tick, float x) {
    const double distance = context.view.port().x_of(tick) - context.lanes_x(x);
    return std::abs(distance) <= static_cast<double>(context.px(kCursorReach));
}

bool near_cursor(const Context& context, const std::optional<timeline::Cursor>& cursor, float x) {
    return cursor && near_tick(context, cursor->tick, x);
}

// The marker at that place of the ruler, the newest first; how many there are: t = 0; nothing: none.
std::optional<std::size_t> marker_near(const Context& context, ImVec2 mouse) {
    if (!context.layout.ruler.contains(mouse)) return std::nullopt;
    const Annotations& notes = context.marks.annotations;
    for (std::size_t i = notes.markers.size(); i-- > 0;) {
        if (near_tick(context, notes.markers[i].tick, mouse.x)) return i;
    }
    if (notes.zero && near_tick(context, *notes.zero, mouse.x)) return notes.markers.size();
    return std::nullopt;
}

}  // namespace

void LanesMouse::update(Context& context) {
    const bool over_lanes = mouse_area("lanes", context.layout.lanes);
    const bool over_ruler = mouse_area("ruler", context.layout.ruler);
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const bool over = over_lanes || over_ruler;
    if (over) wheel(context);
    if (over && drag_ == Drag::kNone) {
        if (ImGui::IsMouseDoubleClicked(0)) {
            double_click(context);
        } else {
            press(context);
        }
    }
    if (context.marks.follows_mouse && over)
        context.marks.cursor(*context.marks.follows_mouse) = cursor_at(context, mouse.x, mouse.y);
    if (drag_ == Drag::kNone) {
        if (over && (near_cursor(context, context.marks.cursors.a, mouse.x) ||
                     near_cursor(context, context.marks.cursors.b, mouse.x) || marker_near(context, mouse))) {
            ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
        }
        return;
    }
    if (ImGui::IsMouseDown(button_)) {
        drag(context);
    } else {
        release(context);
    }
}

void LanesMouse::press(Context& context) {
    for (const int button : {0, 1, 2}) {
        if (!ImGui::IsMouseClicked(button)) continue;
        const ImVec2 mouse = ImGui::GetIO().MousePos;
        button_ = button;
        start_ = mouse;
        moved_ = false;
        drag_ = Drag::kPan;
        if (button == 2) drag_ = Drag::kZoomRange;
        if (button != 0) return;
        if (context.marks.follows_mouse) {
            context.marks.follows_mouse.reset();
        } else {
            drag_ = drag_from(context, mouse);
        }
        return;
    }
}

// What a press of the left button there begins.
LanesMouse::Drag LanesMouse::drag_from(const Context& context, ImVec2 mouse) {
    if (ImGui::GetIO().KeyShift) return Drag::kMeasure;
    const bool at_b = near_cursor(context, context.marks.cursors.b, mouse.x);
    if (at_b || near_cursor(context, context.marks.cursors.a, mouse.x)) {
        dragged_ = at_b ? CursorName::kB : CursorName::kA;
        return Drag::kCursor;
    }
    if (const auto marker = marker_near(context, mouse)) {
        dragged_marker_ = *marker;
        return Drag::kMarker;
    }
    return context.settings.mouse == MousePreset::kProfiler ? Drag::kMeasure : Drag::kPan;
}

void LanesMouse::drag(Context& context) {
    const ImGuiIO& io = ImGui::GetIO();
    const float far = std::max(std::abs(io.MousePos.x - start_.x), std::abs(io.MousePos.y - start_.y));
    const bool begins = !moved_ && far >= context.px(kClickReach);
    moved_ = moved_ || begins;
    if (!moved_) return;
    switch (drag_) {
        case Drag::kNone:
        case Drag::kZoomRange: break;
        case Drag::kPan: {
            const ImVec2 step = begins ? ImVec2{io.MousePos.x - start_.x, io.MousePos.y - start_.y} : io.MouseDelta;
            if (step.x != 0) context.view.pan(-static_cast<double>(step.x));
            context.view.lane_scroll -= step.y;
            break;
        }
        case Drag::kMeasure:
            if (begins) {
                context.marks.cursors.a = cursor_at(context, start_.x, start_.y);
                if (const store::Lane* lane = lane_at(context, start_.y)) context.marks.focus = lane;
            }
            context.marks.cursors.b = cursor_at(context, io.MousePos.x, io.MousePos.y);
            break;
        case Drag::kCursor: context.marks.cursor(dragged_) = cursor_at(context, io.MousePos.x, io.MousePos.y); break;
        case Drag::kMarker: {
            Annotations& notes = context.marks.annotations;
            const std::uint64_t tick = cursor_at(context, io.MousePos.x, io.MousePos.y).tick;
            if (dragged_marker_ < notes.markers.size()) notes.markers[dragged_marker_].tick = tick;
            if (dragged_marker_ == notes.markers.size() && notes.zero) notes.zero = tick;
            break;
        }
    }
}

void LanesMouse::release(Context& context) {
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    if (drag_ == Drag::kZoomRange && moved_) {
        const auto [first, last] = std::minmax(start_.x, mouse.x);
        const timeline::Viewport& port = context.view.port();
        context.view.show({port.tick_at(context.lanes_x(first)), port.tick_at(context.lanes_x(last))});
    } else if (button_ == 0 && !moved_) {
        select(context);
    } else if (button_ == 1 && !moved_) {
        if (const store::Lane* lane = lane_at(context, start_.y)) context.document.panels.lane_menu = lane;
    }
    drag_ = Drag::kNone;
}

void LanesMouse::wheel(Context& context) const {
    const ImGuiIO& io = ImGui::GetIO();
    const double x = context.lanes_x(io.MousePos.x);
    if (io.MouseWheelH != 0)
        context.view.glide_pan(-static_cast<double>(io.MouseWheelH) * context.view.port().width() * kWheelPanShare);
    if (io.MouseWheel == 0) return;
    if (io.KeyShift) {
        context.view.glide_pan(-static_cast<double>(io.MouseWheel) * context.view.port().width() * kWheelPanShare);
    } else {
        context.view.zoom_at(x, std::pow(io.KeyCtrl ? kFineZoom : kWheelZoom, static_cast<double>(io.MouseWheel)));
    }
}

void LanesMouse::double_click(Context& context) const {
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const store::Lane* lane = lane_at(context, mouse.y);
    if (context.layout.ruler.contains(mouse)) {
        context.view.fit();
    } else if (lane != nullptr) {
        const std::uint64_t tick = context.port_of(*lane).tick_at(context.lanes_x(mouse.x));
        if (auto interval = timeline::interval_around(*lane, tick)) {
            const auto offset = static_cast<std::uint64_t>(context.offset_of(*lane));
            context.view.show({interval->first + offset, interval->last + offset}, 0.1);
        }
    }
}

void LanesMouse::select(Context& context) const {
    const store::Lane* lane = lane_at(context, start_.y);
    if (lane == nullptr) return;
    context.marks.focus = lane;
    const double reach = timeline::kSnapPixels * static_cast<double>(context.layout.scale);
    const auto edge = timeline::nearest_edge(*lane, context.port_of(*lane), context.lanes_x(start_.x), reach);
    if (edge) {
        context.marks.selection = Selection{lane, edge->index, edge->tick};
    } else {
        const std::uint64_t tick = context.view.port().tick_at(context.lanes_x(start_.x));
        context.marks.selection = Selection{nullptr, tick, tick};
    }
}

void LanesMouse::draw(Context& context) const {
    if (drag_ != Drag::kZoomRange || !moved_) return;
    const auto [first, last] = std::minmax(start_.x, ImGui::GetIO().MousePos.x);
    const Rect& area = context.layout.lanes;
    const Rect range{first, area.y, last - first, area.height};
    const Clip clip(context.list, area);
    fill(context.list, range, faded(context.theme.accent, 0.15F));
    draw_vertical(context.list, first, area.y, area.bottom(), context.theme.accent, context.hair());
    draw_vertical(context.list, last, area.y, area.bottom(), context.theme.accent, context.hair());
}

}  // namespace sla::ui
