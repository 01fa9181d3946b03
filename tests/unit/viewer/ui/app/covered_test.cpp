// What lies over the window has the mouse alone: neither clicks nor the wheel go through it. And texts of several lines stay in
// theirs.
#include "tests/unit/viewer/ui/panels_fixture.h"
#include "viewer/ui/widgets/paint.h"

#include <algorithm>
#include <string>

namespace sla::ui {
namespace {

class Covered : public Panels {
protected:
    // In the lower part, over which the menu of its heads then opens.
    void open_menu_over_the_table() {
        open_bench();
        const Rect head = item("head channel");
        click(head.x + 4, head.y + 4, 1);
        frames(2);
        ASSERT_TRUE(ImGui::IsPopupOpen(nullptr, ImGuiPopupFlags_AnyPopup));
    }
};

TEST_F(Covered, TheTableIsNotScrolledThroughAMenu) {
    open_menu_over_the_table();
    app().view().show({app().view().extent().first, app().view().extent().last});
    frames(3);
    const std::uint64_t first = app().panels().bottom.table().first_row();
    const Rect choice = item("choose kind");
    move(choice.x + 4, choice.y + 4);
    wheel(-5);
    EXPECT_EQ(app().panels().bottom.table().first_row(), first);
    key(kKeyEscape);
    frames(2);
    wheel(-5);
    EXPECT_NE(app().panels().bottom.table().first_row(), first) << "where no menu is it is";
}

TEST_F(Covered, ASpanIsNotGoneToThroughADialog) {
    open_bench();
    act("flame");
    frames(3);
    const timeline::Flame& flame = app().panels().bottom.flame().flame();
    ASSERT_FALSE(flame.tracks.empty());
    const Rect& body = app().layout().table;
    const auto click_everywhere = [&] {
        for (float x = lanes().x + 10; x < lanes().right(); x += 12) {
            move(x, body.y + 8 + 9);
            press(0);
            release(0);
            if (app().document().marks.selection) return;
        }
    };
    ctrl('E');  // the dialog is over the lanes; what is beside it closes it by a click, and takes no other
    frames(3);
    ASSERT_TRUE(app().export_dialog().is_shown());
    move(lanes().x + lanes().width / 2, body.y + 17);
    press(0);
    EXPECT_FALSE(app().document().marks.selection);
    release(0);
    frames(2);
    EXPECT_FALSE(app().document().marks.selection);
    key(kKeyEscape);
    frames(2);
    click_everywhere();
    EXPECT_TRUE(app().document().marks.selection) << "where no dialog is it is";
}

TEST_F(Covered, TheNamesAreNotScrolledThroughTheHelp) {
    open([](support::CaptureBuilder& capture) { support::add_mixed(capture, 60, 20); });
    act("help");
    frames(2);
    ASSERT_TRUE(app().help_open());
    move(app().layout().names.x + 20, app().layout().names.y + 40);
    wheel(-3);
    EXPECT_EQ(app().view().lane_scroll, 0);
    act("help");
    frames(2);
    wheel(-3);
    EXPECT_GT(app().view().lane_scroll, 0);
}

// The lowest pixel that a text drew into a list of its own.
float foot_of(const std::function<void(ImDrawList&)>& draw) {
    ImDrawList list(ImGui::GetDrawListSharedData());
    list._ResetForNewFrame();
    list.PushClipRectFullScreen();
    list.PushTextureID(ImGui::GetIO().Fonts->TexID);
    draw(list);
    float foot = 0;
    for (const ImDrawVert& vertex : list.VtxBuffer) foot = std::max(foot, vertex.pos.y);
    return foot;
}

TEST_F(Covered, ATextOfSeveralLinesStandsInOne) {
    open_few();
    const ImFont* font = ImGui::GetIO().Fonts->Fonts[0];
    const Rect place{20, 100, 400, 20};
    for (const char* text : {"first line", "first line\nsecond line\nthird", "first\n", "12\n34 us"}) {
        SCOPED_TRACE(text);
        EXPECT_LE(foot_of([&](ImDrawList& list) { draw_text(list, font, place, IM_COL32_WHITE, text); }), place.bottom());
        EXPECT_LE(foot_of([&](ImDrawList& list) { draw_quantity(list, font, place, IM_COL32_WHITE, IM_COL32_WHITE, text); }),
                  place.bottom());
    }
    EXPECT_GT(text_width(font, "first\nsecond"), text_width(font, "firstsecond")) << "with a sign between them";
}

}  // namespace
}  // namespace sla::ui
