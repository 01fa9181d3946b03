// Bookmarks: listed, noted, gone to, deleted, undone.
#include "tests/unit/viewer/ui/panels_fixture.h"

namespace sla::ui {
namespace {

class Bookmarks : public Panels {
protected:
    void open_with_two() {
        open_few();
        type("www");
        ctrl('4');
        type("ss");
        ctrl('7');
        ctrl('B');
        frames(2);
        ASSERT_EQ(app().document().panels.bottom_tab, BottomTab::kBookmarks);
        rest();
    }
    std::map<int, Bookmark>& marks() { return app().document().marks.annotations.bookmarks; }
};

TEST_F(Bookmarks, ShiftSaysNothingOfADigit) {
    open_few();
    ImGui::GetIO().KeyShift = true;  // as a French keyboard needs it
    ctrl('5');
    ImGui::GetIO().KeyShift = false;
    EXPECT_TRUE(marks().contains(5));
}

TEST_F(Bookmarks, ANoteIsTypedInItsRowAndUndoneInOneStep) {
    open_with_two();
    click_item("note 7");
    type("here it hangs");
    keep("bookmarks");
    EXPECT_EQ(marks().at(7).note, "here it hangs");
    EXPECT_EQ(marks().at(4).note, "");
    key(kKeyEnter);
    rest();
    EXPECT_EQ(app().document().history.undo_words(), "note a bookmark");
    ctrl('Z');
    EXPECT_EQ(marks().at(7).note, "");
    ctrl('Y');
    EXPECT_EQ(marks().at(7).note, "here it hangs");
}

TEST_F(Bookmarks, ItsDigitGoesThereAndDeleteTakesItAwayUntilUndone) {
    open_with_two();
    type("f");
    click_item("bookmark 4");
    frames(3);
    const timeline::TickRange wanted = marks().at(4).range;
    EXPECT_NEAR(static_cast<double>(port().visible().length()), static_cast<double>(wanted.length()),
                0.01 * static_cast<double>(wanted.length()));
    rest();
    click_item("delete 4");
    frames(3);
    EXPECT_FALSE(marks().contains(4));
    EXPECT_TRUE(marks().contains(7));
    rest();
    EXPECT_EQ(app().document().history.undo_words(), "delete a bookmark");
    ctrl('Z');
    EXPECT_TRUE(marks().contains(4));
}

TEST_F(Bookmarks, ThePaletteNotesAndDeletesWithoutAMouse) {
    open_with_two();
    app().document().panels.bottom_tab = BottomTab::kEvents;
    ctrl('K');
    frames(2);
    type("note of bookmark 4");
    key(kKeyEnter);
    frames(4);
    type("first");
    EXPECT_EQ(marks().at(4).note, "first");
    key(kKeyEnter);
    frames(2);
    ctrl('K');
    frames(2);
    type("delete bookmark 7");
    key(kKeyEnter);
    frames(3);
    EXPECT_FALSE(marks().contains(7));
    EXPECT_TRUE(marks().contains(4));
}

TEST_F(Bookmarks, TenOfThemScrollAtTwiceTheSize) {
    open_bench(1920, 1080, 2);
    for (int digit = 0; digit < 10; ++digit) act(("set-bookmark-" + std::to_string(digit)).c_str());
    ctrl('B');
    move(app().layout().table.x + 200, app().layout().table.bottom() - 20);
    for (int i = 0; i < 20; ++i) wheel(-1);
    frames(3);
    keep("bookmarks_2x");
    click_item("delete 9");
    frames(3);
    EXPECT_FALSE(marks().contains(9));
    EXPECT_EQ(marks().size(), 9u);
}

}  // namespace
}  // namespace sla::ui
