// Where tooltips and menus stand: not over what is beside the thing they are about; how what is open is closed; and what the
// menu of a head does.
#include "tests/unit/viewer/ui/panels_fixture.h"
#include "viewer/ui/timeline/head_menu.h"
#include "viewer/ui/widgets/key_numbers.h"

#include <imgui_internal.h>

#include <algorithm>
#include <string>
#include <vector>

namespace sla::ui {
namespace {

class Menus : public Panels {
protected:
    // Of the tooltip that is shown; nothing where none is.
    static Rect tip() {
        for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows) {
            if ((window->Flags & ImGuiWindowFlags_Tooltip) == 0 || !window->Active) continue;
            return {window->Pos.x, window->Pos.y, window->Size.x, window->Size.y};
        }
        return {};
    }
    void hover(const std::string& name) {
        const Rect at = item(name);
        move(at.x + at.width / 2, at.y + at.height / 2);
        frames(3);
    }
    static bool overlap(const Rect& a, const Rect& b) {
        return a.x < b.right() && b.x < a.right() && a.y < b.bottom() && b.y < a.bottom();
    }
    bool is_in_window(const Rect& at) {
        const Rect& window = app().layout().window;
        return at.x >= window.x && at.y >= window.y && at.right() <= window.right() && at.bottom() <= window.bottom();
    }
};

TEST_F(Menus, ATooltipOfATabOrAButtonLeavesItsNeighboursInSight) {
    open_bench();
    for (const char* name : {"EVENTS", "PAIRS", "SQL", "MEASURE", "REGS", "fit", "help", "settings"}) {
        hover(name);
        ASSERT_GT(tip().width, 0) << name;
        EXPECT_FALSE(overlap(tip(), item(name))) << name;
        EXPECT_TRUE(is_in_window(tip())) << name;
        for (const char* other : {"FLAME", "STATISTICS", "GAPS", "TRIGGER", "COUNTERS", "menu", "export"}) {
            EXPECT_FALSE(overlap(tip(), item(other))) << name << " over " << other;
        }
    }
    keep("tooltip-settings");
}

TEST_F(Menus, ATooltipOfAFieldStandsBesideThePanel) {
    open_few();
    act("counters");
    frames(2);
    for (const char* name : {"field Process", "field Section"}) {
        hover(name);
        ASSERT_GT(tip().width, 0) << name;
        EXPECT_LE(tip().right(), app().layout().inspector.x) << name;
        EXPECT_TRUE(is_in_window(tip())) << name;
        keep(std::string("tooltip-") + name);
    }
}

// Where there is no space beside it, below the field, and in the window.
TEST_F(Menus, ATooltipOfAFieldInANarrowWindowIsWhole) {
    open(support::add_few, ThemeName::kDark, 1280, 720, 2);
    act("counters");
    frames(2);
    hover("field Section");
    keep("tooltip-narrow");
    ASSERT_GT(tip().width, 0);
    EXPECT_GT(tip().right(), app().layout().inspector.x) << "there is no space beside it";
    EXPECT_TRUE(is_in_window(tip()));
    EXPECT_FALSE(overlap(tip(), item("field Section")));
}

TEST_F(Menus, OfAHeadHideItsLanesOrAllOthers) {
    open_bench();
    const timeline::LaneTree& tree = app().document().tree;
    const auto key_named = [&](const std::string& name) {
        for (const timeline::TreeRow& row : tree.rows()) {
            if (row.lane == nullptr && row.name == name) return row.key;
        }
        return std::string();
    };
    const std::size_t all = tree.lanes().size();
    const std::string pipe = key_named("pipe");
    ASSERT_EQ(lanes_below(tree, pipe).size(), 5U);
    EXPECT_EQ(lanes_below(tree, key_named("program (4242)")).size(), 7U);
    EXPECT_EQ(lanes_below(tree, "no such head").size(), 0U);
    click_item("head of " + pipe, 1);
    keep("head-menu");
    click_item("hide below");
    frames(2);
    EXPECT_EQ(tree.hidden(), 5U);
    EXPECT_EQ(tree.row_of(&lane("pipe.read")), nullptr);
    EXPECT_NE(app().errors().notice().find("5 lanes are hidden; Shift+H"), std::string::npos);
    act("show-all-lanes");
    ASSERT_TRUE(app().keys().apply(R"({"version": 1, "keys": {"show-hidden": []}})").ok());
    click_item("head of " + pipe, 1);
    click_item("hide below");
    frames(2);
    EXPECT_EQ(app().errors().notice(), "5 lanes are hidden; the key of \"show-hidden\" shows them");
    act("show-all-lanes");
    // Folded it is the same.
    app().document().tree.toggle(pipe);
    frames(2);
    EXPECT_EQ(lanes_below(tree, pipe).size(), 5U);
    click_item("head of " + pipe, 1);
    click_item("hide others");
    frames(2);
    EXPECT_EQ(tree.hidden(), all - 5);
    EXPECT_EQ(tree.folded_under(&lane("pipe.read"))->substr(0, pipe.size()), pipe);
    act("undo");
    frames(2);
    EXPECT_EQ(tree.hidden(), 0U);
}

TEST_F(Menus, TheMenuOpensBelowTheToolbar) {
    open_few();
    click_item("menu");
    const auto& open = ImGui::GetCurrentContext()->OpenPopupStack;
    ASSERT_EQ(open.Size, 1);
    EXPECT_GE(open.back().Window->Pos.y, app().layout().toolbar.bottom());
    EXPECT_FALSE(overlap(
        {open.back().Window->Pos.x, open.back().Window->Pos.y, open.back().Window->Size.x, open.back().Window->Size.y},
        item("menu")));
}

TEST_F(Menus, TabsOfTheRightPartStandApartHoweverNarrowItIs) {
    open_bench(1280, 720, 2);
    act("instruments");
    for (const char* name : {"MEASURE", "TRIGGER", "AGENT", "COUNTERS"}) {
        const Rect at = item(name);
        const Rect between{at.right() - 2, at.y + 16, 4, at.height - 32};
        const ImU32 panel = theme_of(ThemeName::kDark).panel;
        for (int x = 0; x < 4; ++x) {
            for (int y = 0; y < static_cast<int>(between.height); ++y)
                EXPECT_EQ(colour_at(screen_->pixels(), static_cast<int>(between.x) + x, static_cast<int>(between.y) + y),
                          panel)
                    << name;
        }
    }
    keep("tabs-narrow");
}

// Where there is no space for all tabs of the lower part, the others are in a menu behind them.
TEST_F(Menus, EveryListCanBeReachedHoweverNarrowTheTableIs) {
    open_bench(1600, 900, 2);
    frames(2);
    EXPECT_FALSE(items_.contains("GAPS"));
    click_item("more tabs");
    frames(3);
    keep("more-tabs");
    click_item("more GAPS");
    frames(2);
    EXPECT_EQ(app().document().panels.bottom_tab, BottomTab::kGaps);
    items_.clear();
    open_bench(1280, 720);
    EXPECT_TRUE(items_.contains("SQL"));
    EXPECT_FALSE(items_.contains("more tabs")) << "there is space for all";
}

TEST_F(Menus, EscapeClosesAnOpenListAndThenTheDialogItIsIn) {
    open_few();
    const auto& open = ImGui::GetCurrentContext()->OpenPopupStack;
    act("export");
    ASSERT_EQ(open.Size, 1);
    frames(3);  // it has to find its size
    click_item("format");
    ASSERT_EQ(open.Size, 2);
    key(kKeyEscape);
    frames(2);
    EXPECT_EQ(open.Size, 1);
    key(kKeyEscape);
    frames(2);
    EXPECT_EQ(open.Size, 0);
    act("counters");
    frames(2);
    click_item("every");
    ASSERT_EQ(open.Size, 1);
    key(kKeyEscape);
    frames(2);
    EXPECT_EQ(open.Size, 0);
}

// What stands at the right keeps its place: the source's name is cut, then left out, then its state in a word.
TEST_F(Menus, NoButtonOfANarrowToolbarCoversAnother) {
    for (const int width : {640, 700, 900, 1280, 2560}) {
        SCOPED_TRACE(width);
        open_bench(width, 480, 2);
        keep("toolbar_" + std::to_string(width));
        const std::vector<std::string> names = {"menu", "source", "export", "panes", "table", "panel", "settings", "help"};
        for (std::size_t i = 1; i < names.size(); ++i) EXPECT_LE(item(names[i - 1]).right(), item(names[i]).x) << names[i];
        EXPECT_LE(item("help").right(), static_cast<float>(width));
    }
}

}  // namespace
}  // namespace sla::ui
