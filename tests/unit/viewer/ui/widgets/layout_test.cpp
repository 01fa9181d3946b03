#include "viewer/ui/widgets/layout.h"

#include <gtest/gtest.h>

namespace sla::ui {
namespace {

bool overlap(const Rect& a, const Rect& b) {
    if (a.width <= 0 || a.height <= 0 || b.width <= 0 || b.height <= 0) return false;
    return a.x < b.right() && b.x < a.right() && a.y < b.bottom() && b.y < a.bottom();
}

void expect_tiled(const Layout& layout) {
    const auto panels = layout.panels();
    float area = 0;
    for (std::size_t i = 0; i < panels.size(); ++i) {
        EXPECT_GE(panels[i].width, 0.0F);
        EXPECT_GE(panels[i].height, 0.0F);
        EXPECT_LE(panels[i].right(), layout.window.width + 0.01F);
        EXPECT_LE(panels[i].bottom(), layout.window.height + 0.01F);
        area += panels[i].width * panels[i].height;
        for (std::size_t k = i + 1; k < panels.size(); ++k) EXPECT_FALSE(overlap(panels[i], panels[k])) << i << " and " << k;
    }
    EXPECT_NEAR(area, layout.window.width * layout.window.height, layout.window.width);
}

TEST(Layout, PanelsTileTheWindowAtEverySizeAndScale) {
    for (const ImVec2 size : {ImVec2{640, 400}, ImVec2{1280, 720}, ImVec2{1920, 1080}, ImVec2{2560, 1440}}) {
        for (const float scale : {1.0F, 1.25F, 1.5F, 2.0F}) {
            for (const bool error : {false, true}) {
                SCOPED_TRACE(testing::Message()
                             << size.x << "x" << size.y << " at " << scale << (error ? " with an error" : ""));
                expect_tiled(make_layout(size, scale, {}, error));
            }
        }
    }
}

TEST(Layout, WhatBelongsToATabHasItsOwnLineWhereTheTabsLeaveNoSpace) {
    EXPECT_EQ(make_layout({1920, 1080}, 1, {}, false).tab_line.height, 0.0F);
    const Layout narrow = make_layout({1920, 1080}, 2, {}, false);
    EXPECT_GT(narrow.tab_line.height, 0.0F);
    EXPECT_EQ(narrow.tab_line.width, narrow.table.width);
    EXPECT_GT(narrow.table.height, narrow.tab_line.height);
}

TEST(Layout, SplitsThatAskForTooMuchAreHeldBack) {
    Splits greedy;
    greedy.names = 5000;
    greedy.inspector = 5000;
    greedy.table = 5000;
    const Layout layout = make_layout({1280, 720}, 1, greedy, false);
    expect_tiled(layout);
    EXPECT_GE(layout.lanes.width, 240.0F);
    EXPECT_GE(layout.lanes.height, 100.0F);
}

TEST(Layout, ClosedPanelsLeaveTheirSpaceToTheLanes) {
    Splits closed;
    closed.inspector_open = false;
    closed.table_open = false;
    const Layout layout = make_layout({1280, 720}, 1, closed, false);
    EXPECT_EQ(layout.inspector.width, 0.0F);
    EXPECT_EQ(layout.table.height, 0.0F);
    EXPECT_GT(layout.lanes.height, make_layout({1280, 720}, 1, {}, false).lanes.height);
    expect_tiled(layout);
}

TEST(Layout, APanelThatIsAskedForInASmallWindowGetsItsSpaceFromTheLanes) {
    const ImVec2 small{1280, 720};
    const Layout without = make_layout(small, 2, {}, false);
    ASSERT_EQ(without.inspector.width, 0.0F);
    EXPECT_FALSE(without.inspector_fits);
    Splits asked;
    asked.show_inspector();
    asked.show_table();
    const Layout with = make_layout(small, 2, asked, false);
    EXPECT_GE(with.inspector.width, 2 * 232.0F);
    EXPECT_GE(with.lanes.width, 2 * 96.0F);
    EXPECT_GE(with.table.height, 2 * 40.0F);
    EXPECT_GE(with.lanes.height, 2 * 48.0F);
    expect_tiled(with);
    for (const ImVec2 size : {ImVec2{200, 100}, ImVec2{640, 400}, ImVec2{900, 300}, ImVec2{1920, 1080}}) {
        for (const float scale : {1.0F, 2.0F, 3.0F}) {
            SCOPED_TRACE(testing::Message() << size.x << "x" << size.y << " at " << scale);
            const Layout layout = make_layout(size, scale, asked, false);
            if (size.x >= 640 && scale == 1) expect_tiled(layout);
            const Layout wide = make_layout(size, scale, {}, false);
            EXPECT_GE(layout.inspector.width, wide.inspector.width);
            if (wide.inspector.width > 0) {
                EXPECT_EQ(layout.inspector.width, wide.inspector.width) << "it fits anyway";
            }
        }
    }
}

// A head and two lanes of it, and half of the third.
TEST(Layout, InALowWindowTheStripAndTheStatusBarGiveWayToLanes) {
    const ImVec2 low{640, 400};
    const Layout quiet = make_layout(low, 2, {}, false);
    EXPECT_EQ(quiet.minimap.height, 0.0F);
    EXPECT_EQ(quiet.status.height, 2 * 24.0F);
    EXPECT_GE(quiet.lanes.height, 2 * 90.0F);
    const Layout told = make_layout(low, 2, {}, true);
    EXPECT_EQ(told.minimap.height, 0.0F);
    EXPECT_EQ(told.status.height, 0.0F);
    EXPECT_GE(told.lanes.height, 2 * 90.0F);
    expect_tiled(told);
    const Layout higher = make_layout({640, 600}, 2, {}, true);
    EXPECT_GT(higher.minimap.height, 0.0F);
    EXPECT_GT(higher.status.height, 0.0F);
}

TEST(Layout, TheLeastWindowHasSpaceForAHeadAndALane) {
    for (const float scale : {0.5F, 1.0F, 1.3F, 2.0F, 4.0F}) {
        SCOPED_TRACE(scale);
        const Layout layout = make_layout(least_window(scale), scale, {}, true);
        expect_tiled(layout);
        EXPECT_GE(layout.lanes.height, scale * 52 - 1) << "whole pixels";
        EXPECT_GE(layout.lanes.width, scale * 96);
    }
}

TEST(Layout, NamesStandBesideTheirLanes) {
    const Layout layout = make_layout({1280, 720}, 1, {}, true);
    EXPECT_EQ(layout.names.y, layout.lanes.y);
    EXPECT_EQ(layout.names.height, layout.lanes.height);
    EXPECT_EQ(layout.names.right(), layout.lanes.x);
    EXPECT_EQ(layout.ruler.x, layout.lanes.x);
    EXPECT_EQ(layout.ruler.width, layout.lanes.width);
}

}  // namespace
}  // namespace sla::ui
