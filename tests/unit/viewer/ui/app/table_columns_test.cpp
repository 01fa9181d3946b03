// Which columns the event table has: what there is room for, or what a person wants.
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
    const Rect& table = app().layout().table;
    keep("columns-before");
    click(table.x + 30, table.y + 12, 1);
    ASSERT_TRUE(ImGui::IsPopupOpen(nullptr, ImGuiPopupFlags_AnyPopup));
    keep("columns-menu");
    const ImGuiWindow* menu = ImGui::GetCurrentContext()->OpenPopupStack.back().Window;
    // From the top: index, time, channel, kind, value, text, any, lane, same, trigger.
    const ColumnChoices& choices = app().settings().table_columns;
    for (float y = menu->Pos.y + 40; y < menu->Pos.y + menu->Size.y - 40 && !(choices[kSame] && choices[kTrigger]); y += 8) {
        const bool before = choices[kSame].has_value();
        click(menu->Pos.x + 18, y);
        for (std::size_t i = 0; i < kTableColumns; ++i) {  // only these two
            if (i != kSame && i != kTrigger && choices[i]) app().settings().table_columns[i].reset();
        }
        if (!before && choices[kSame]) y += 20;
    }
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

}  // namespace
}  // namespace sla::ui
