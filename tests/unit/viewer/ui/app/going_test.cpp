// Where the window goes by itself: to rows that were chosen, to what is newest, to places that were typed; and that it goes
// nowhere else.
#include "tests/unit/viewer/ui/panels_fixture.h"
#include "viewer/ui/commands/go_to.h"

#include <set>

namespace sla::ui {
namespace {

TEST_F(Panels, TheFirstPageReceivesClicks) {
    open(no_source());
    // "Mouse and keys", the third button.
    const float width = std::min(640.0F, lanes().width - 48);
    const float left = std::floor(lanes().x + (lanes().width - width) / 2);
    ASSERT_FALSE(app().help_open());
    click(left + 40, lanes().y + 184);
    EXPECT_TRUE(app().help_open());
    keep("help_from_first_page");
}

TEST_F(Panels, ARowThatIsInSightMovesNothing) {
    open_few();
    const store::Session& session = app().source().session();
    const timeline::Viewport before = port();
    for (const std::uint64_t tick : {session.first_tick(), session.last_tick()}) {
        app().view().reveal(tick);
        frames(2);
        EXPECT_EQ(port(), before);
    }
}

TEST_F(Panels, ARowOutOfSightIsShownWithoutEmptySpaceBeyondTheEnds) {
    open_few();
    const timeline::TickRange all = app().view().extent();
    const std::uint64_t half = all.first + all.length() / 2;
    app().view().show({half, all.last});
    frames(2);
    app().view().reveal(all.first + 1);
    frames(2);
    EXPECT_GE(port().x_of(all.first + 1), 0.0);
    EXPECT_LE(port().x_of(all.first), 0.03 * port().width());
    app().view().reveal(all.last);
    frames(2);
    EXPECT_LE(port().x_of(all.last), port().width());
    EXPECT_GE(port().x_of(all.last), 0.97 * port().width());
}

TEST_F(Panels, ARowOfALaneThatIsDrawnLaterIsShownWhereItIsDrawn) {
    open_few();
    const store::Lane& rx = lane("net.rx");
    const timeline::TickRange all = app().view().extent();
    const auto away = static_cast<std::int64_t>(20 * all.length());
    timeline::LaneStyle style = app().document().tree.style_of(rx);
    style.offset_ticks = away;
    app().document().tree.set_style(rx, style);
    app().document().rows.set_filter("channel == net.rx");
    frames(5);
    click_item("row 0");
    frames(3);
    ASSERT_TRUE(app().document().marks.selection);
    ASSERT_EQ(app().document().marks.selection->lane, &rx);
    const double x = port().x_of(app().document().marks.selection->tick + static_cast<std::uint64_t>(away));
    EXPECT_GE(x, 0);
    EXPECT_LE(x, port().width());
}

TEST_F(Panels, TheNextRowOfAnEventThatAFilterHidesIsTheOneBehindIt) {
    open_few();
    const store::Lane& parse = lane("net.parse");
    const store::Lane& rx = lane("net.rx");
    app().document().rows.set_filter("channel == net.rx");
    frames(5);
    const std::uint64_t index = parse.size() / 2;
    const std::uint64_t next = rx.lower_bound(parse.tick(index));
    const auto select_hidden = [&] {
        app().document().marks.selection = Selection{&parse, index, parse.tick(index)};
        frames(2);
    };
    select_hidden();
    act("row-down");
    EXPECT_EQ(app().document().marks.selection->lane, &rx);
    EXPECT_EQ(app().document().marks.selection->index, next);
    select_hidden();
    act("row-up");
    EXPECT_EQ(app().document().marks.selection->index, next - 1);
}

TEST_F(Panels, AFilterLeavesTheTableWhereTheLanesAre) {
    open_bench();
    const timeline::TickRange all = app().view().extent();
    app().view().show({all.first + all.length() / 2, all.last});
    frames(3);
    const EventTable& table = app().panels().bottom.table();
    TableRows& rows = app().document().rows;
    ASSERT_GT(table.first_row(), 0u);
    for (const char* filter : {"irq", "kind == begin", ""}) {
        rows.set_filter(filter);
        frames(30);
        const auto top = rows.place(table.first_row());
        ASSERT_TRUE(top) << filter;
        EXPECT_GE(top->tick, port().visible().first) << filter;
        EXPECT_LT(top->tick, port().visible().last) << filter;
    }
}

TEST_F(Panels, AGroupThatWasFoldedAtItsLaneIsUnfoldedThere) {
    open_bench();
    app().document().marks.focus = &lane("irq.0");
    ASSERT_NE(app().document().tree.row_of(&lane("irq.0")), nullptr);
    act("fold-group");
    EXPECT_EQ(app().document().tree.row_of(&lane("irq.0")), nullptr);
    act("fold-group");
    EXPECT_NE(app().document().tree.row_of(&lane("irq.0")), nullptr);
}

TEST_F(Panels, APlaceBeyondTheEndsIsReportedNotShown) {
    open_few();
    const store::Session& session = app().source().session();
    EXPECT_TRUE(parse_place("1us", session).ok());
    const auto beyond = parse_place("999999s", session);
    ASSERT_FALSE(beyond.ok());
    EXPECT_NE(beyond.error().message.find("what is here goes from"), std::string::npos);
    EXPECT_FALSE(parse_place("-5s", session).ok());
}

TEST_F(Panels, ACrowdOfTriggerHitsDoesNotHideTheLanes) {
    open([](support::CaptureBuilder& capture) {
        const auto beat = capture.channel("beat");
        for (std::uint64_t i = 0; i < 20'000; ++i)
            capture.tick(beat, 1'000'000 + i * 1000, static_cast<std::int64_t>(i % 2));
    });
    app().document().search.set("beat > 0");
    frames(100);
    ASSERT_EQ(app().document().search.mode(), SearchMode::kTrigger);
    ASSERT_GT(app().document().search.hits().size(), 5000u);
    keep("trigger_hits");
    const Theme& theme = theme_of(ThemeName::kDark);
    const Pixels pixels = screen_->pixels();
    EXPECT_TRUE(has_colour(pixels, {lanes().x, lanes().y, lanes().width, 4}, theme.hit));
    const int middle = static_cast<int>(lanes().x + lanes().width / 2);
    const int below_the_lane = static_cast<int>(lanes().bottom() - 20);
    std::set<ImU32> colours;
    for (int x = middle; x < middle + 60; ++x) colours.insert(colour_at(pixels, x, below_the_lane));
    EXPECT_LE(colours.size(), 2u);  // background, and a line of the grid
    EXPECT_TRUE(colours.contains(theme.background));
}

TEST_F(Panels, EdgesAreSteppedFromWhereTheLaneWasClicked) {
    open_few();
    const store::Lane& rx = lane("net.rx");
    app().view().show({rx.tick(4) - 20'000, rx.tick(14) + 20'000});
    frames(2);
    // Between the second and the third edge in sight, far from the middle.
    const float between = (x_of(rx.tick(5)) + x_of(rx.tick(6))) / 2;
    ASSERT_GT(x_of(rx.tick(6)) - x_of(rx.tick(5)), 20.0F);
    click(between, y_of("net.rx"));
    keep("place");
    type(".");
    ASSERT_TRUE(app().document().marks.selection);
    EXPECT_EQ(app().document().marks.selection->lane, &rx);
    EXPECT_EQ(app().document().marks.selection->index, 6u);
    click(between, y_of("net.rx"));
    type(",");
    EXPECT_EQ(app().document().marks.selection->index, 5u);
}

TEST_F(Panels, WhatWasTypedWrongCanBeMendedAtOnce) {
    open_few();
    const timeline::Viewport before = port();
    type("g");
    frames(2);
    type("banana");
    key(kKeyEnter);
    frames(3);
    type("20us");  // in place of what was wrong, not as keys
    key(kKeyEnter);
    frames(3);
    EXPECT_NE(port(), before);
    const store::Session& session = app().source().session();
    const double x = port().x_of(*parse_place("20us", session));
    EXPECT_NEAR(x, port().width() / 2, 1.0);
}

}  // namespace
}  // namespace sla::ui
