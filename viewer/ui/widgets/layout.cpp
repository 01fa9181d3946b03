#include "viewer/ui/widgets/layout.h"

#include <algorithm>
#include <cmath>

namespace sla::ui {

namespace {

constexpr float kToolbar = 40;
constexpr float kErrorBar = 32;
constexpr float kMinimap = 28;
constexpr float kRuler = 36;
constexpr float kStatus = 24;
constexpr float kMinNames = 120;
constexpr float kMinLanes = 320;
constexpr float kMinLanesHeight = 120;
constexpr float kScarceLanes = 96;  // what lanes keep beside a panel that comes first
constexpr float kScarceLanesHeight = 48;
constexpr float kMinInspector = 232;
constexpr float kMinTable = 128;
constexpr float kTabs = 28;
constexpr float kLeastWidth = 320;
constexpr float kLeastHeight = 160;
constexpr float kMinBeside = 984;   // what the tabs and what belongs to one of them need in one line
constexpr float kGrip = 6;          // how wide a splitter can be grabbed
constexpr float kFewLanes = 96;     // where lanes have less the strip above the ruler goes,
constexpr float kFewestLanes = 72;  // and where they still have less the bar at the foot

struct Strips {
    float minimap = kMinimap;
    float status = kStatus;
};

// Of so much height, at scale 1, below the bars at the top.
Strips strips_in(float height) {
    Strips out;
    if (height - kRuler - out.minimap - out.status < kFewLanes) out.minimap = 0;
    if (height - kRuler - out.minimap - out.status < kFewestLanes) out.status = 0;
    return out;
}

}  // namespace

Layout make_layout(ImVec2 window, float scale, const Splits& splits, bool has_error) {
    const auto px = [scale](float length) { return std::round(length * scale); };
    const auto within = [](float wanted, float least, float most) {
        return std::clamp(wanted, std::min(least, most), most);
    };
    Layout out;
    out.scale = scale;
    out.window = {0, 0, window.x, window.y};
    out.toolbar = {0, 0, window.x, px(kToolbar)};
    out.error_bar = {0, out.toolbar.bottom(), window.x, has_error ? px(kErrorBar) : 0};
    const float top = out.error_bar.bottom();
    const Strips strips = strips_in((window.y - top) / scale);
    out.status = {0, window.y - px(strips.status), window.x, px(strips.status)};
    const float height = std::max(0.0F, out.status.y - top);

    const float names = within(px(splits.names), px(kMinNames), window.x * 0.4F);
    const auto part = [&](bool open, bool first, float wanted, float least, float space, float scarce_space) {
        const float most = first && space < least ? scarce_space : space;
        return open && most >= least ? std::floor(within(wanted, least, most)) : 0;
    };
    const float space = window.x - names - px(kMinLanes);
    const float scarce_space = window.x - names - px(kScarceLanes);
    const float inspector = part(splits.inspector_open, splits.inspector_first, px(splits.inspector), px(kMinInspector),
                                 space, std::min(scarce_space, px(kMinInspector)));
    out.inspector_fits = space >= px(kMinInspector);
    const float head = px(strips.minimap) + px(kRuler);
    const float table_space = height - head - px(kMinLanesHeight);
    const float scarce_height = height - head - px(kScarceLanesHeight);
    const float table = part(splits.table_open, splits.table_first, px(splits.table), px(kMinTable), table_space,
                             std::min(scarce_height, px(kMinTable)));
    out.table_fits = table_space >= px(kMinTable);

    const float left = std::floor(names);
    const float centre = window.x - left - inspector;
    out.names_head = {0, top, left, head};
    out.minimap = {left, top, centre, px(strips.minimap)};
    out.ruler = {left, out.minimap.bottom(), centre, px(kRuler)};
    const float lanes_height = std::max(0.0F, height - head - table);
    out.names = {0, out.ruler.bottom(), left, lanes_height};
    out.lanes = {left, out.ruler.bottom(), centre, lanes_height};
    const float tabs = table > 0 ? px(kTabs) : 0;
    out.tabs = {0, out.lanes.bottom(), left + centre, tabs};
    const bool beside = left + centre >= px(kMinBeside);
    out.tab_line = {0, out.tabs.bottom(), left + centre, beside ? 0 : tabs};
    out.table = {0, out.tab_line.bottom(), left + centre, std::max(0.0F, table - tabs - out.tab_line.height)};
    out.inspector = {left + centre, top, inspector, height};

    const float grip = px(kGrip);
    out.split_names = {left - grip / 2, out.names_head.y, grip, head + lanes_height};
    if (inspector > 0) out.split_inspector = {out.inspector.x - grip / 2, top, grip, height};
    if (table > 0) out.split_table = {0, out.tabs.y - grip / 2, out.table.width, grip};
    return out;
}

ImVec2 least_window(float scale) {
    return {std::ceil(kLeastWidth * scale), std::ceil(kLeastHeight * scale)};
}

std::array<Layout, 2> split_panes(const Layout& whole) {
    Layout upper = whole;
    Layout lower = whole;
    const float height = std::floor((whole.lanes.height - whole.ruler.height) / 2);
    for (Rect Layout::*rect : {&Layout::names, &Layout::lanes}) (upper.*rect).height = std::max(0.0F, height);
    const float top = upper.lanes.bottom();
    lower.minimap = {whole.minimap.x, top, whole.minimap.width, 0};
    lower.ruler = {whole.ruler.x, top, whole.ruler.width, whole.ruler.height};
    lower.names_head = {whole.names_head.x, top, whole.names_head.width, whole.ruler.height};
    for (Rect Layout::*rect : {&Layout::names, &Layout::lanes}) {
        (lower.*rect).y = lower.ruler.bottom();
        (lower.*rect).height = std::max(0.0F, whole.lanes.bottom() - lower.ruler.bottom());
    }
    return {upper, lower};
}

}  // namespace sla::ui
