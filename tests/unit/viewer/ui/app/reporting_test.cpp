// What the window reports: how grave it is, and why something did not happen.
#include "tests/unit/viewer/ui/panels_fixture.h"

namespace sla::ui {
namespace {

TEST_F(Panels, InformationIsNoErrorAndNoWarning) {
    open_few();
    store::Session& session = app().source().session();
    const Theme& theme = theme_of(ThemeName::kDark);
    const auto bar_is = [&](ImU32 colour) {
        frames(2);
        const Rect& bar = app().layout().error_bar;
        return bar.height > 0 && colour_at(screen_->pixels(), static_cast<int>(bar.x + bar.width / 2),
                                           static_cast<int>(bar.bottom() - 3)) == colour;
    };
    session.add_note({0, "another agent answers: the lanes go on", false});
    EXPECT_TRUE(bar_is(theme.raised));
    keep("told_information");
    session.add_note({0, "a part of the file was damaged", true});
    EXPECT_TRUE(bar_is(theme.warning_bar));
    keep("told_warning");
    app().errors().add("the disk is full");
    EXPECT_TRUE(bar_is(theme.error_bar));
    session.add_note({0, "another agent answers again", false});
    EXPECT_TRUE(bar_is(theme.error_bar));  // the gravest is read first
    keep("told_error");
}

TEST_F(Panels, AnActionThatCannotBeDoneSaysWhy) {
    open_few();
    for (const char* id : {"follow", "trigger", "next-hit", "next-edge", "zoom-to-cursors", "unfold-idle", "overlay", "run",
                           "undo", "bookmark-5", "pin-lane", "zero-at-a", "show-all-lanes", "clear-markers"}) {
        app().errors().notice("");
        act(id);
        EXPECT_FALSE(app().errors().notice().empty()) << id;
        EXPECT_FALSE(app().errors().any()) << id;
    }
    keep("notice");
    EXPECT_FALSE(app().is_still());
    frames(60 * 5);
    EXPECT_TRUE(app().errors().notice().empty());
    EXPECT_TRUE(app().is_still());
}

TEST_F(Panels, SteppingBeyondTheLastEdgeSaysSo) {
    open_few();
    const store::Lane& rx = lane("net.rx");
    app().document().marks.focus = &rx;
    app().document().marks.selection = Selection{&rx, rx.size() - 1, rx.tick(rx.size() - 1)};
    act("next-edge");
    EXPECT_EQ(app().document().marks.selection->index, rx.size() - 1);
    EXPECT_NE(app().errors().notice().find("No later edge"), std::string::npos);
}

TEST_F(Panels, ThePaletteSaysWhyNot) {
    open_few();
    ctrl('K');
    frames(2);
    type("follow the newest");
    key(kKeyEnter);
    frames(3);
    EXPECT_NE(app().errors().notice().find("nothing to follow"), std::string::npos);
}

}  // namespace
}  // namespace sla::ui
