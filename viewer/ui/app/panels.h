// What draws one document: its panels, which know each other only by the document's PanelState.
#pragma once

#include "viewer/ui/inspector/inspector.h"
#include "viewer/ui/tables/bottom_panel.h"
#include "viewer/ui/timeline/head_menu.h"
#include "viewer/ui/timeline/lane_menu.h"
#include "viewer/ui/timeline/lane_names.h"
#include "viewer/ui/timeline/lanes_area.h"
#include "viewer/ui/timeline/lanes_mouse.h"
#include "viewer/ui/timeline/minimap_strip.h"

#include <array>

namespace sla::ui {

struct DocumentPanels {
    explicit DocumentPanels(Document& document) : bottom(document.rows) {}

    // By pane.
    std::array<LanesArea, 2> lanes;
    std::array<LanesMouse, 2> mouse;
    std::array<LaneNames, 2> names;
    LaneMenu lane_menu;
    HeadMenu head_menu;
    MinimapStrip minimap;
    BottomPanel bottom;
    Inspector inspector;

    // What was typed and chosen in the panels of the document that this one goes on from (Document::go_on_with).
    void go_on_from(DocumentPanels& before) {
        bottom.go_on_from(before.bottom);
        inspector.go_on_from(before.inspector);
    }
    // Pictures are being made exact, or lanes counted.
    [[nodiscard]] bool is_refining() const {
        return lanes[0].pictures().is_refining() || lanes[1].pictures().is_refining() || bottom.statistics().is_counting() ||
               minimap.is_counting();
    }
};

}  // namespace sla::ui
