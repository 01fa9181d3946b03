// Lanes and panes in the window: arranged, looked at and measured with mouse and keys.
#include "tests/unit/viewer/ui/panels_fixture.h"

#include <algorithm>

namespace sla::ui {
namespace {

TEST_F(Panels, IdleTimeIsFoldedAwayAndComesBack) {
    open([](support::CaptureBuilder& capture) {
        const auto burst = capture.channel("burst");
        for (std::uint64_t at : {1'000'000U, 50'000'000U, 90'000'000U}) {
            for (std::uint64_t i = 0; i < 200; ++i) capture.tick(burst, at + i * 2000);
        }
    });
    const store::Lane& burst = lane("burst");
    const double near = x_of(burst.tick(250)) - x_of(burst.tick(200));
    type("i");
    keep("folded");
    ASSERT_NE(port().folds(), nullptr);
    EXPECT_EQ(port().folds()->intervals().size(), 2u);
    EXPECT_GT(x_of(burst.tick(250)) - x_of(burst.tick(200)), near * 5);  // the space goes to what happens
    EXPECT_LT(x_of(burst.tick(599)), lanes().right());
    EXPECT_GE(x_of(burst.tick(0)), lanes().x);
    // A measurement over a break counts the time that was folded away.
    app().document().marks.cursors = {timeline::Cursor{burst.tick(0), true}, timeline::Cursor{burst.tick(200), true}};
    const auto measured = timeline::measure(app().document().marks.cursors, app().source().session());
    EXPECT_EQ(measured->ticks, 49'000'000);
    app().document().marks.cursors = {};
    rest();
    act("unfold-idle");
    EXPECT_EQ(port().folds(), nullptr);
    rest();
    ctrl('Z');
    ASSERT_NE(port().folds(), nullptr);
    ctrl('Z');
    EXPECT_EQ(port().folds(), nullptr);
}

TEST_F(Panels, LooksPinsAndColoursAreGivenByKey) {
    open_bench();
    click(lanes().x + 300, y_of("pipe.compress"));
    ASSERT_EQ(app().document().marks.focus, &lane("pipe.compress"));
    type("r");
    EXPECT_EQ(app().document().tree.style_of(lane("pipe.compress")).look, timeline::LaneLook::kRate);
    type("p");
    EXPECT_TRUE(app().document().tree.rows().front().pinned);
    const std::size_t hue = app().document().tree.hue_of(lane("pipe.compress"));
    type("c");
    EXPECT_NE(app().document().tree.hue_of(lane("pipe.compress")), hue);
    click(lanes().x + 300, y_of("pipe.queue"));
    act("state-look");
    EXPECT_EQ(app().document().tree.style_of(lane("pipe.queue")).look, timeline::LaneLook::kState);
    keep("looks");
    type("J");
    EXPECT_NE(app().document().marks.focus, &lane("pipe.queue"));
}

TEST_F(Panels, ALaneThatIsDrawnLaterSnapsAndReadsWhereItIsDrawn) {
    open_few();
    const store::Lane& rx = lane("net.rx");
    timeline::LaneStyle style;
    style.offset_ticks = 500'000;
    app().document().tree.set_style(rx, style);
    frames(2);
    const float x = x_of(rx.tick(5) + 500'000);
    move(x + 2, y_of("net.rx"));
    type("1");
    EXPECT_EQ(app().document().marks.cursors.a->tick, rx.tick(5) + 500'000);
    click(x + 1, y_of("net.rx"));
    ASSERT_TRUE(app().document().marks.selection);
    EXPECT_EQ(app().document().marks.selection->index, 5u);
}

TEST_F(Panels, TheLaneMenuOpensByRightClickAndByKey) {
    open_bench();
    click(app().layout().names.x + 80, y_of("pipe.bytes"), 1);
    EXPECT_TRUE(ImGui::IsPopupOpen(nullptr, ImGuiPopupFlags_AnyPopup));
    keep("lane-menu");
    key(kKeyEscape);
    frames(2);
    EXPECT_EQ(app().document().marks.focus, &lane("pipe.bytes"));
    key(kKeyF1 + 1);
    EXPECT_TRUE(ImGui::IsPopupOpen(nullptr, ImGuiPopupFlags_AnyPopup));
}

// A menu that is open beneath the one that closes must go with it: an open one takes all keys.
TEST_F(Panels, EscapeAndEnterCloseTheLaneMenuWhereverTheMouseIs) {
    open_bench(1280, 900);
    const float x = app().layout().names.x + 80;
    for (const int closing : {kKeyEscape, kKeyEnter}) {
        for (float down = 230; down < 350; down += 12) {
            click(x, y_of("pipe.bytes"), 1);
            ASSERT_TRUE(ImGui::IsPopupOpen(nullptr, ImGuiPopupFlags_AnyPopup));
            move(x + 40, y_of("pipe.bytes") + down);
            frames(3);
            if (closing == kKeyEscape && down == 254) keep("lane-menu-hovered");
            key(closing);
            frames(3);
            if (closing == kKeyEnter) key(kKeyEscape);  // where the mouse opened a menu the field has no Enter
            frames(3);
            ASSERT_FALSE(ImGui::IsPopupOpen(nullptr, ImGuiPopupFlags_AnyPopup)) << closing << " at " << down;
        }
    }
}

TEST_F(Panels, APopupThatNobodyDrawsAnyMoreDoesNotKeepTheKeys) {
    open_bench();
    click(app().layout().names.x + 80, y_of("pipe.bytes"), 1);
    ASSERT_TRUE(ImGui::IsPopupOpen(nullptr, ImGuiPopupFlags_AnyPopup));
    app().panels().lane_menu = LaneMenu();
    frames(3);
    EXPECT_FALSE(ImGui::IsPopupOpen(nullptr, ImGuiPopupFlags_AnyPopup));
}

TEST_F(Panels, ShotsAreShownFromTheirTriggerAndOverEachOther) {
    open_bench();
    add_shots();
    act("shots");
    click_item("shots 3");
    EXPECT_EQ(app().document().shot->number, 4u);
    EXPECT_EQ(app().document().marks.annotations.zero, app().source().session().shots()[3].tick);
    keep("shots");
    type("v");
    EXPECT_TRUE(app().document().overlay);
    frames(2);
    keep("overlay");
    type("t");
    EXPECT_NEAR(port().x_of(*app().document().marks.annotations.zero), port().width() / 2, 1.0);
}

TEST_F(Panels, AnotherColourOfALaneShowsInTheTableAtOnce) {
    open_few();
    const Rect& table = app().layout().table;
    const Rect rows{table.x, table.y + 24, table.width, table.height - 24};
    const ImU32 colour = theme_of(ThemeName::kDark).lane(5);  // of no lane
    frames(2);
    ASSERT_FALSE(has_colour(screen_->pixels(), rows, colour));
    timeline::LaneStyle style = app().document().tree.style_of(lane("net.rx"));
    style.hue = 5;
    app().document().tree.set_style(lane("net.rx"), style);
    frames(2);
    EXPECT_TRUE(has_colour(screen_->pixels(), rows, colour));
}

TEST_F(Panels, TwoPanesShowTwoPlacesAndShareTheirCursors) {
    open_bench(1400, 900);
    type("d");
    act("two-panes");
    ASSERT_TRUE(app().document().two_panes);
    const auto layouts = split_panes(app().layout());
    move(layouts[1].lanes.x + 300, layouts[1].lanes.y + 40);
    const double upper = app().document().views[0].port().ticks_per_pixel();
    for (int i = 0; i < 8; ++i) wheel(1);
    EXPECT_EQ(app().document().views[0].port().ticks_per_pixel(), upper);
    EXPECT_LT(app().document().views[1].port().ticks_per_pixel(), upper / 2);
    type("1");
    click(layouts[1].lanes.x + 310, layouts[1].lanes.y + 40);
    EXPECT_TRUE(app().document().marks.cursors.a);
    EXPECT_EQ(app().document().marks.cursors, app().document().marks.cursors);
    keep("panes");
}

TEST_F(Panels, UndoKnowsBothPanes) {
    open_bench(1400, 900);
    rest();
    act("two-panes");
    rest();
    const auto layouts = split_panes(app().layout());
    View& upper = app().document().views[0];
    View& lower = app().document().views[1];
    const auto begin = lower.target();
    move(layouts[1].lanes.x + 300, layouts[1].lanes.y + 40);
    for (int i = 0; i < 4; ++i) wheel(1);
    const auto zoomed = lower.target();
    ASSERT_FALSE(zoomed == begin);
    rest();
    const auto above = upper.target();
    type("1");
    click(layouts[1].lanes.x + 310, layouts[1].lanes.y + 40);
    rest();
    ctrl('Z');
    EXPECT_FALSE(app().document().marks.cursors.a);
    EXPECT_EQ(lower.target(), zoomed) << "the cursor alone went";
    rest();
    ctrl('Z');
    EXPECT_EQ(lower.target(), begin);
    EXPECT_EQ(upper.target(), above);
    rest();
    ctrl('Z');
    EXPECT_FALSE(app().document().two_panes);
    rest();
    ctrl('Y');
    rest();
    ctrl('Y');
    EXPECT_TRUE(app().document().two_panes);
    EXPECT_EQ(lower.target().ticks_per_pixel(), zoomed.ticks_per_pixel());
    EXPECT_NEAR(static_cast<double>(lower.target().visible().first), static_cast<double>(zoomed.visible().first), 2);
}

TEST_F(Panels, InTheProfilersPresetALeftDragMeasures) {
    open_few();
    app().settings().mouse = MousePreset::kProfiler;
    const auto before = port();
    drag(0, lanes().x + 100, lanes().y + 60, lanes().x + 300, lanes().y + 60);
    EXPECT_EQ(port(), before);
    EXPECT_TRUE(app().document().marks.cursors.a && app().document().marks.cursors.b);
    drag(1, lanes().x + 300, lanes().y + 60, lanes().x + 200, lanes().y + 60);
    EXPECT_FALSE(port() == before);
}

TEST_F(Panels, ArrowsLeadFromAnEventToTheNextOneWithItsValue) {
    open([](support::CaptureBuilder& capture) {
        const auto cause = capture.channel("cause");
        const auto effect = capture.channel("effect");
        for (std::int64_t i = 0; i < 12; ++i) {
            capture.tick(cause, static_cast<std::uint64_t>(2'000'000 + i * 1'000'000), i);
            capture.tick(effect, static_cast<std::uint64_t>(2'400'000 + i * 1'000'000 + i * 50'000), i);
        }
    });
    const Pixels before = screen_->pixels();
    auto& tree = app().document().tree;
    tree.arrangement.links.push_back({tree.key_of(lane("cause")), tree.key_of(lane("effect"))});
    frames(2);
    keep("causes");
    EXPECT_NE(screen_->pixels().rgba, before.rgba);
}

TEST_F(Panels, ArrowsAreDrawnAndTakenAwayByName) {
    open_few();
    app().document().marks.focus = &lane("net.rx");
    const auto& links = app().document().tree.arrangement.links;
    const store::Lane* other = nullptr;
    for (const store::Lane* one : app().source().session().lanes()) other = one == &lane("net.rx") ? other : one;
    const auto ask = [&](const std::string& words) {
        ctrl('K');
        frames(2);
        type((words + app().document().tree.title_of(*other)).c_str());
        key(kKeyEnter);
        frames(3);
    };
    ask("arrows from net.rx to ");
    ASSERT_EQ(links.size(), 1u);
    EXPECT_EQ(app().document().tree.lane_of(links[0].from), &lane("net.rx"));
    EXPECT_EQ(app().document().tree.lane_of(links[0].to), other);
    ask("no arrows from net.rx to ");
    EXPECT_TRUE(links.empty());
    ask("pairs from net.rx to ");
    EXPECT_EQ(app().document().panels.bottom_tab, BottomTab::kPairs);
}

TEST_F(Panels, TooManyArrowsSaySo) {
    open([](support::CaptureBuilder& capture) {
        const auto cause = capture.channel("cause");
        const auto effect = capture.channel("effect");
        for (std::int64_t i = 0; i < 3000; ++i) {
            capture.tick(cause, static_cast<std::uint64_t>(2'000'000 + i * 1'000), i);
            capture.tick(effect, static_cast<std::uint64_t>(2'000'400 + i * 1'000), i);
        }
    });
    frames(2);
    const Pixels before = screen_->pixels();
    timeline::LaneTree& tree = app().document().tree;
    tree.arrangement.links.push_back({tree.key_of(lane("cause")), tree.key_of(lane("effect"))});
    frames(2);
    keep("too-many-arrows");
    const Rect end{lanes().right() - 200, y_of("cause") - 12, 190, 24};
    const Pixels after = screen_->pixels();
    bool changed = false;
    for (int y = static_cast<int>(end.y); y < static_cast<int>(end.bottom()); ++y) {
        for (int x = static_cast<int>(end.x); x < static_cast<int>(end.right()); ++x)
            changed = changed || colour_at(before, x, y) != colour_at(after, x, y);
    }
    EXPECT_TRUE(changed);
}

TEST_F(Panels, PanelsInASmallWindowOpenWhenTheyAreAskedFor) {
    open_bench(1280, 720, 2);
    ASSERT_EQ(app().layout().inspector.width, 0.0F);
    act("instruments");
    frames(2);
    EXPECT_GT(app().layout().inspector.width, 0.0F);
    keep("small-with-panel");
    act("instruments");
    frames(2);
    EXPECT_EQ(app().layout().inspector.width, 0.0F);
    act("trigger-editor");
    frames(2);
    EXPECT_GT(app().layout().inspector.width, 0.0F);
    app().settings().splits.inspector_open = false;
    act("markers");
    frames(2);
    EXPECT_GT(app().layout().table.height, 0.0F);
    keep("small-with-table");
    ctrl('K');
    frames(3);
    keep("small-palette");
    for (int i = 0; i < 13; ++i) key(kKeyDown);
    keep("small-palette-down");
    key(kKeyEscape);
    act("settings");
    frames(3);
    keep("small-settings");
}

class TwoSources : public Panels {
protected:
    void open_two() {
        open_bench(1400, 900);
        app().open(std::make_unique<StillSource>(support::add_few));
        frames(3);
        ASSERT_EQ(app().documents(), 2u);
        act("beside");
        frames(3);
        ASSERT_NE(app().beside(), nullptr);
    }
    [[nodiscard]] static bool has_channel(Document& document, const char* name) {
        return document.source->session().lane_named(name) != nullptr;
    }
};

TEST_F(TwoSources, AreDrawnBelowEachOtherAndTheOneThatIsClickedHasTheTable) {
    open_two();
    keep("two-sources");
    ASSERT_TRUE(has_channel(app().document(), "net.rx"));
    ASSERT_TRUE(has_channel(*app().beside(), "port.post"));
    const auto layouts = split_panes(app().layout());
    click(layouts[0].lanes.x + 300, layouts[0].lanes.y + 40);
    EXPECT_TRUE(has_channel(app().document(), "port.post")) << "the upper one is the one that was opened first";
    EXPECT_TRUE(has_channel(*app().beside(), "net.rx"));
    const std::uint64_t rows = app().document().rows.size();
    EXPECT_GT(rows, app().beside()->rows.size());
    click(layouts[1].lanes.x + 300, layouts[1].lanes.y + 40);
    EXPECT_TRUE(has_channel(app().document(), "net.rx"));
    act("beside");
    EXPECT_EQ(app().beside(), nullptr);
}

TEST_F(TwoSources, GoAlongWithEachOtherUnlessTheyAreUnlinked) {
    open_two();
    Document& other = *app().beside();
    const store::Session& mine = app().source().session();
    const timeline::TickRange place{app().view().extent().first + 1'000'000, app().view().extent().first + 3'000'000};
    app().view().show(place);
    frames(3);
    const timeline::TickRange there = other.view().target().visible();
    EXPECT_NEAR(static_cast<double>(other.source->session().clock().to_ps(there.first)),
                static_cast<double>(mine.clock().to_ps(place.first)), 1e6);
    EXPECT_NEAR(static_cast<double>(there.length()), static_cast<double>(place.length()), 1e4);
    act("link-sources");
    app().view().show({place.first + 100'000, place.first + 200'000});
    frames(3);
    EXPECT_EQ(other.view().target().visible(), there);
    const auto layouts = split_panes(app().layout());
    const std::size_t upper = 0;  // the other one: it was opened first
    move(layouts[upper].lanes.x + 300, layouts[upper].lanes.y + 40);
    for (int i = 0; i < 4; ++i) wheel(1);
    EXPECT_LT(other.view().target().visible().length(), there.length()) << "the wheel turns where the mouse is";
}

TEST_F(TwoSources, EndWhenOneOfThemIsClosedAndNeedTwo) {
    open_two();
    act("close-source");
    EXPECT_EQ(app().documents(), 1u);
    EXPECT_EQ(app().beside(), nullptr);
    act("beside");
    EXPECT_EQ(app().beside(), nullptr);
    EXPECT_NE(app().errors().notice().find("Nothing else is open"), std::string::npos);
}

TEST_F(TwoSources, ChangePlacesWhenTheOtherIsAskedForByKey) {
    open_two();
    const Document* before = app().beside();
    act("next-source");
    frames(2);
    EXPECT_EQ(&app().document(), before);
    EXPECT_TRUE(has_channel(*app().beside(), "net.rx"));
}

}  // namespace
}  // namespace sla::ui
