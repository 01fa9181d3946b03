// Which columns the event table has: what there is space for, or what a person wants.
#include "tests/unit/viewer/ui/panels_fixture.h"
#include "viewer/ui/commands/event_columns.h"

#include <imgui_internal.h>

namespace sla::ui {
namespace {

constexpr auto kSame = static_cast<std::size_t>(TableColumn::kDeltaEvent);
constexpr auto kTrigger = static_cast<std::size_t>(TableColumn::kDeltaTrigger);
constexpr auto kError = static_cast<std::size_t>(TableColumn::kError);

TEST(TableColumns, ThereAreThoseThatFitOrAreWanted) {
    ColumnChoices choices;
    TableShow show{false, true, &choices};
    EXPECT_FALSE(show.has(kSame, 1000));
    EXPECT_TRUE(show.has(kSame, 1300));
    EXPECT_FALSE(show.has(kTrigger, 1000));
    EXPECT_TRUE(show.has(kTrigger, 1300));
    choices[kSame] = true;
    choices[kTrigger] = false;
    EXPECT_TRUE(show.has(kSame, 1000));
    EXPECT_FALSE(show.has(kTrigger, 1300));
    choices[kTrigger] = true;
    EXPECT_TRUE(show.has(kTrigger, 1000));
    show.with_trigger = false;  // nothing to count it from
    EXPECT_FALSE(show.has(kTrigger, 1000));
}

TEST(TableColumns, SourcesStandWhereSeveralShareANameOrThereIsSpace) {
    constexpr auto kSource = static_cast<std::size_t>(TableColumn::kSource);
    TableShow show;
    EXPECT_FALSE(show.has(kSource, 1900));
    show.sources = TableShow::Sources::kSeveral;
    EXPECT_FALSE(show.has(kSource, 1000));
    EXPECT_TRUE(show.has(kSource, 1900));
    show.sources = TableShow::Sources::kOfOneName;
    EXPECT_TRUE(show.has(kSource, 600));
}

// With the panel beside it in a window of 1280 pixels, a table is so wide.
constexpr float kNarrow = 998;

TEST(TableColumns, ANarrowTableHasSpaceForNames) {
    constexpr auto kIndex = static_cast<std::size_t>(TableColumn::kIndex);
    constexpr auto kChannel = static_cast<std::size_t>(TableColumn::kChannel);
    TableShow show;
    for (const bool with_a : {false, true}) {
        show.with_a = with_a;
        EXPECT_LE(table_width(kNarrow, show), kNarrow) << "nothing is to be scrolled";
        EXPECT_GE(table_columns({0, 0, kNarrow, 20}, 1, show)[kChannel].width, 132);
    }
    show.with_a = false;
    show.sources = TableShow::Sources::kOfOneName;
    EXPECT_FALSE(show.has(kIndex, kNarrow)) << "the source tells more";
    EXPECT_TRUE(show.has(kIndex, 1500));
    EXPECT_LE(table_width(kNarrow, show), kNarrow);
    EXPECT_GE(table_columns({0, 0, kNarrow, 20}, 1, show)[kChannel].width, 132);
    ColumnChoices choices;
    choices[kIndex] = true;
    show.choices = &choices;
    EXPECT_TRUE(show.has(kIndex, kNarrow)) << "who wants it has it";
}

TEST_F(Panels, RowsOfTwoProgramsOfOneNameSayWhichTheyAreFrom) {
    open([](support::CaptureBuilder& capture) {
        for (const std::uint32_t pid : {41U, 42U}) {
            const auto rx = capture.channel("rx", capture.source("worker", support::BuilderSource::kProgram, pid));
            for (std::uint64_t i = 0; i < 3; ++i) capture.tick(rx, 1'000'000 * (i + 1) + pid);
        }
    });
    frames(3);
    EXPECT_TRUE(app().document().tree.are_names_shared());
    app().document().marks.selection = Selection{app().source().session().lanes()[0], 0, 1'000'041};
    act("copy");
    EXPECT_NE(std::string(ImGui::GetClipboardText()).find("\tworker/41\trx\t"), std::string::npos);
    app().document().panels.bottom_tab = BottomTab::kStatistics;
    frames(20);
    keep("programs-of-one-name");
    act("palette");
    type("Lane: rx of worker/42");
    frames(20);
    key(kKeyEnter);
    frames(3);
    EXPECT_EQ(app().document().marks.focus, app().source().session().lanes()[1]);
}

TEST(TableColumns, WantedOnesStandBesideEachOtherBeyondTheRowIfNeedBe) {
    ColumnChoices choices;
    choices.fill(true);
    const TableShow show{true, true, &choices};
    const auto cells = table_columns({0, 0, 800, 20}, 1, show);
    for (std::size_t i = 1; i < kTableColumns; ++i) EXPECT_GE(cells[i].x, cells[i - 1].right()) << i;
    EXPECT_GT(cells[kError].right(), 800);
    EXPECT_LE(cells[kError].right(), table_width(800, show));
}

TEST_F(Panels, ARightClickOnTheTablesHeadChoosesItsColumns) {
    open_bench();
    add_shots();
    keep("columns-before");
    click_item("head time", 1);
    ASSERT_TRUE(ImGui::IsPopupOpen(nullptr, ImGuiPopupFlags_AnyPopup));
    keep("columns-menu");
    const ColumnChoices& choices = app().settings().table_columns;
    click_item("choose delta_same");
    click_item("choose delta_trigger");
    EXPECT_EQ(choices[kSame], true);
    EXPECT_EQ(choices[kTrigger], true);
    key(kKeyEscape);
    frames(3);
    keep("columns-chosen");
}

TEST_F(Panels, ColumnsAndTheirOrderAreToBeHadByNameWithoutAMouse) {
    open_bench();
    frames(2);
    const auto kText = static_cast<std::size_t>(TableColumn::kText);
    const ColumnChoices& choices = app().settings().table_columns;
    act("column-text");
    frames(2);
    EXPECT_EQ(choices[kText], false);
    act("column-text");
    frames(2);
    EXPECT_EQ(choices[kText], true);
    act("column-delta_a");  // without A there is none
    frames(2);
    EXPECT_FALSE(choices[static_cast<std::size_t>(TableColumn::kDeltaA)]);
    EXPECT_FALSE(app().errors().notice().empty());
    act("columns-by-room");
    frames(2);
    EXPECT_TRUE(choices == ColumnChoices{});
    act("order-delta_any");
    frames(2);
    const TableRows& rows = app().document().rows;
    EXPECT_FALSE(rows.by_time());
    EXPECT_EQ(rows.order().column, static_cast<std::size_t>(TableColumn::kDeltaAny));
    EXPECT_EQ(action_named("order-index"), nullptr) << "it cannot be sorted by";
}

TEST_F(Panels, MoreColumnsThanFitAreScrolledSideways) {
    open_bench();
    add_shots();
    app().settings().table_columns.fill(true);
    app().document().marks.cursors.a = timeline::Cursor{port().tick_at(100), false};
    frames(3);
    keep("columns-all");
    const Rect table = app().layout().table;
    const Rect last{table.right() - 110, table.y + 24, 90, 40};
    const ImU32 dim = theme_of(ThemeName::kDark).dim;
    move(table.x + 300, table.y + 60);
    ImGui::GetIO().KeyShift = true;
    for (int i = 0; i < 8; ++i) wheel(-1);
    ImGui::GetIO().KeyShift = false;
    frames(2);
    keep("columns-scrolled");
    EXPECT_EQ(app().panels().bottom.table().first_row(), 0u);
    EXPECT_TRUE(has_colour(screen_->pixels(), last, dim));
}

TEST_F(Panels, AColumnIsDraggedWiderUntilADoubleClickLetsItBeAsThereIsSpace) {
    open_bench();
    const float before = item("head channel").width;
    drag_item("edge channel", 60);
    EXPECT_NEAR(app().settings().table_widths[static_cast<std::size_t>(TableColumn::kChannel)], before + 60, 3);
    EXPECT_NEAR(item("head channel").width, before + 60, 3);
    EXPECT_TRUE(app().document().rows.by_time()) << "the drag was no click on the head";
    keep("column-wider");
    drag_item("edge channel", -600);
    EXPECT_FLOAT_EQ(item("head channel").width, kMinColumnWidth);
    const Rect edge = item("edge channel");
    click(edge.x + edge.width / 2, edge.y + 10);
    press(0);  // at once once more
    release(0);
    EXPECT_FLOAT_EQ(item("head channel").width, before);
}

TEST_F(Panels, AHeadIsDraggedToAnotherPlaceAndItsRowsGoAlong) {
    open_bench();
    const float text = item("head text").x;
    drag_item("head channel", item("head text").x + 10 - item("head channel").x);
    EXPECT_GT(item("head channel").x, item("head text").x);
    EXPECT_LT(item("head text").x, text);
    EXPECT_TRUE(app().document().rows.by_time());
    keep("column-moved");
    settings_ = screen_->settings();
    open_bench();
    EXPECT_GT(item("head channel").x, item("head text").x) << "it is kept";
    act("columns-by-room");
    EXPECT_LT(item("head channel").x, item("head text").x);
}

TEST_F(Panels, ColumnsOfListsAreDraggedWiderAndElsewhereAndAreKept) {
    open_bench();
    act("gaps");
    const Rect from = item("gaps from");
    const float border = from.right();
    const float y = from.y + from.height / 2;
    drag(0, border, y, border + 50, y);
    EXPECT_NEAR(item("gaps from").width, from.width + 50, 4);
    drag_item("gaps events", item("gaps length").x + 20 - item("gaps events").x);
    EXPECT_LT(item("gaps events").x, item("gaps length").x);
    keep("list-columns");
    const float width = item("gaps from").width;
    settings_ = screen_->settings();
    ASSERT_FALSE(settings_.list_columns.empty());
    open_bench();
    act("gaps");
    EXPECT_FLOAT_EQ(item("gaps from").width, width);
    EXPECT_LT(item("gaps events").x, item("gaps length").x);
}

}  // namespace
}  // namespace sla::ui
