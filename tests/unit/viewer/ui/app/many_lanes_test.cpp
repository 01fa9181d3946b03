// A window on thousands of lanes: what takes some frames there says so, or is waited for where it matters.
#include "tests/unit/viewer/ui/window_fixture.h"
#include "viewer/ui/widgets/key_numbers.h"

#include <string>

namespace sla::ui {
namespace {

class ManyLanes : public Window {
protected:
    static constexpr int kLanes = 3000;

    void open_many() {
        open([](support::CaptureBuilder& capture) {
            for (int i = 0; i < kLanes; ++i) {
                const auto lane = capture.channel("many." + std::to_string(i));
                capture.tick(lane, 1'000'000 + static_cast<std::uint64_t>(i));
            }
        });
    }
    void grow(std::uint64_t tick) {
        store::Session& session = app().source().session();
        wire::EventBatch batch;
        batch.add(tick, SLA_CODE_TICK, 0, 1);
        session.lanes().front()->append(batch);
        session.touch();
    }
};

TEST_F(ManyLanes, TheStripSaysWhenItShowsAllOfThem) {
    open_many();
    frames(1);
    EXPECT_FALSE(app().panels().minimap.is_whole());
    frames(kLanes / 64 + 2);
    EXPECT_TRUE(app().panels().minimap.is_whole());
}

// One that was begun before the last rows came is whole, of then.
TEST_F(ManyLanes, TheStripSaysOfWhenItIs) {
    open_many();
    frames(80);
    grow(1'000'000'000);
    frames(1);
    grow(2'000'000'000);
    const std::uint64_t revision = app().source().session().revision();
    EXPECT_FALSE(app().panels().minimap.is_whole_since(revision));
    frames_until([&] { return app().panels().minimap.is_whole(); });
    EXPECT_FALSE(app().panels().minimap.is_whole_since(revision));
    frames(80);
    EXPECT_TRUE(app().panels().minimap.is_whole_since(revision));
}

TEST_F(ManyLanes, EnterInThePaletteTakesTheBestOfAllLanesHoweverSoonItComes) {
    open_many();
    act("palette");
    type("Lane: many.297");
    ImGui::GetIO().AddInputCharacter('1');
    key(kKeyEnter);
    frames(3);
    EXPECT_EQ(app().document().marks.focus, &lane("many.2971"));
}

TEST_F(ManyLanes, ThePaletteComesToTheLastLaneByItself) {
    open_many();
    act("palette");
    type("Lane: many.2972");
    frames(20);
    key(kKeyEnter);
    frames(3);
    EXPECT_EQ(app().document().marks.focus, &lane("many.2972"));
}

// Of thousands it makes the names that are seen, and finds the others.
TEST_F(ManyLanes, TheChooserOfPairsDrawsWhatIsSeenAndFindsAll) {
    open_many();
    app().document().panels.bottom_tab = BottomTab::kPairs;
    frames(2);
    click_item("pair from");
    frames(2);
    EXPECT_TRUE(items_.contains("lane to pair 0"));
    EXPECT_FALSE(items_.contains("lane to pair 100"));
    type("many.2972");
    items_.clear();
    frames(2);
    EXPECT_TRUE(items_.contains("lane to pair 0"));
    EXPECT_FALSE(items_.contains("lane to pair 1"));
    key(kKeyEnter);
    frames(2);
    EXPECT_EQ(app().document().panels.pair_from, app().document().tree.key_of(lane("many.2972")));
    click_item("pair to");
    type("no such lane");
    key(kKeyEnter);
    EXPECT_EQ(app().document().panels.pair_to, "");
    key(kKeyEscape);
    frames(2);
    click_item("pair to");
    click_item("lane to pair 3");
    EXPECT_EQ(app().document().panels.pair_to, app().document().tree.key_of(*app().document().tree.lanes()[3]));
}

// Nothing drawn there is not "nothing happened" until all lanes were looked at.
TEST_F(ManyLanes, WhatTheMinimapHasNotLookedAtYetIsMarked) {
    open_many();
    frames(80);
    grow(1'000'000'000);
    frames(1);
    const Rect& strip = app().layout().minimap;
    const Rect quiet{strip.x + strip.width * 0.6F, strip.y + 6, strip.width * 0.1F, strip.height - 12};
    const ImU32 marked = colour_at(screen_->pixels(), static_cast<int>(quiet.x), static_cast<int>(quiet.y));
    frames(80);
    const ImU32 known = colour_at(screen_->pixels(), static_cast<int>(quiet.x), static_cast<int>(quiet.y));
    EXPECT_NE(marked, known);
    frames(5);
    EXPECT_EQ(colour_at(screen_->pixels(), static_cast<int>(quiet.x), static_cast<int>(quiet.y)), known);
}

TEST_F(ManyLanes, FoldingAllAndUnfoldingLeavesEveryLaneInItsPlace) {
    open_many();
    const float before = y_of("many.1234");
    act("fold-all");
    EXPECT_EQ(app().document().tree.row_of(&lane("many.1234")), nullptr);
    EXPECT_EQ(app().document().tree.rows().size(), 1u);
    act("fold-all");
    EXPECT_EQ(y_of("many.1234"), before);
}

}  // namespace
}  // namespace sla::ui
