#include "viewer/workspace/view/history.h"

#include "viewer/workspace/document.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

namespace sla::workspace {
namespace {

constexpr double kFrame = 1.0 / 60;
constexpr double kPause = 1.0;  // seconds: what comes after is a step of its own

ViewState at(std::uint64_t tick) {
    ViewState state;
    state.shown = {ViewMode::kRange, tick, 2.0};
    return state;
}

void observe(History& history, const ViewState& state, double seconds, bool gesture) {
    history.pass(seconds);
    history.observe(state, gesture);
}

TEST(History, TakesBackAndDoesAgain) {
    History history;
    ViewState state = at(100);
    observe(history, state, kFrame, false);
    EXPECT_FALSE(history.can_undo());
    state.cursors.a = timeline::Cursor{5, true};
    observe(history, state, kPause, false);
    state.annotations.edit().markers.push_back({"M1", 7});
    observe(history, state, kPause, false);
    EXPECT_EQ(history.undo_words(), "add a marker");
    const auto without = history.undo();
    ASSERT_TRUE(without);
    EXPECT_TRUE(without->annotations->markers.empty());
    EXPECT_TRUE(without->cursors.a);
    observe(history, *without, kFrame, false);
    EXPECT_EQ(history.undo_words(), "place cursor A");
    EXPECT_EQ(history.redo_words(), "add a marker");
    const auto again = history.redo();
    ASSERT_TRUE(again);
    EXPECT_EQ(again->annotations->markers.size(), 1u);
    EXPECT_FALSE(history.redo());
}

TEST(History, MakesOneStepOfMovementsThatFollowEachOther) {
    History history;
    observe(history, at(0), kFrame, false);
    for (std::uint64_t i = 1; i <= 20; ++i) observe(history, at(i * 10), kFrame, false);
    EXPECT_EQ(history.undo()->shown.first_tick, 0u);
    EXPECT_FALSE(history.can_undo());
}

TEST(History, KeepsMovementsApartThatHaveAPauseBetween) {
    History history;
    observe(history, at(0), kFrame, false);
    observe(history, at(10), kPause, false);
    observe(history, at(20), kPause, false);
    EXPECT_EQ(history.undo()->shown.first_tick, 10u);
}

TEST(History, WaitsForTheEndOfAGesture) {
    History history;
    observe(history, at(0), kFrame, false);
    ViewState state = at(0);
    for (std::uint64_t i = 1; i <= 20; ++i) {
        state.cursors.b = timeline::Cursor{i, false};
        observe(history, state, kPause, true);
    }
    EXPECT_FALSE(history.can_undo());
    observe(history, state, kFrame, false);
    EXPECT_FALSE(history.undo()->cursors.b);
}

TEST(History, ForgetsWhatCouldBeRedoneWhenSomethingNewIsDone) {
    History history;
    observe(history, at(0), kFrame, false);
    observe(history, at(10), kPause, false);
    observe(history, *history.undo(), kFrame, false);
    EXPECT_TRUE(history.can_redo());
    observe(history, at(30), kPause, false);
    EXPECT_FALSE(history.can_redo());
}

TEST(History, TakesWhatTheViewMakesOfAStepForNoChange) {
    History history;
    observe(history, at(0), kFrame, false);
    observe(history, at(10), kPause, false);
    ViewState settled = *history.undo();
    settled.shown.first_tick += 1;  // the window was resized meanwhile
    observe(history, settled, kFrame, false);
    EXPECT_FALSE(history.can_undo());
    EXPECT_TRUE(history.can_redo());
}

TEST(History, IsBounded) {
    History history;
    for (std::uint64_t i = 0; i < History::kMax * 2; ++i) observe(history, at(i), kPause, false);
    std::size_t steps = 0;
    while (history.undo()) ++steps;
    EXPECT_EQ(steps, History::kMax);
}

timeline::LaneArrangement many_styles(std::size_t count, std::int64_t offset_ticks) {
    timeline::LaneStyle style;
    style.offset_ticks = offset_ticks;
    timeline::LaneArrangement lanes;
    for (std::size_t i = 0; i < count; ++i) lanes.set_style("prog:" + std::to_string(i), style);
    return lanes;
}

TEST(History, ChangesOfManyLanesAreKeptAsFarBackAsTheMemoryGoes) {
    History history;
    ViewState state = at(0);
    observe(history, state, kPause, false);
    for (int i = 0; i < 40; ++i) {
        state.lanes = many_styles(20'000, i + 1);
        observe(history, state, kPause, false);
    }
    std::size_t steps = 0;
    while (history.undo()) ++steps;
    EXPECT_GE(steps, 10u);
    EXPECT_LE(steps, 20u);
}

// A person pans for hours with many lanes hidden.
TEST(History, StepsOfADocumentShareWhatDoesNotChange) {
    Document document(no_source());
    document.tree.arrangement = many_styles(20'000, 7);
    document.marks.annotations.markers.resize(1000);
    document.observe(kPause, false);
    document.marks.cursors.a = timeline::Cursor{5, false};
    document.observe(kPause, false);
    const ViewState now = document.history.current();
    ASSERT_EQ(now.lanes->lanes.size(), 20'000u);
    const auto before = document.history.undo();
    ASSERT_TRUE(before);
    EXPECT_TRUE(before->lanes.is_shared_with(now.lanes));
    EXPECT_TRUE(before->annotations.is_shared_with(now.annotations));
    EXPECT_NE(before->cursors, now.cursors);
    EXPECT_TRUE(document.state().lanes.is_shared_with(now.lanes));
}

TEST(History, OneStepIsKeptHoweverLargeItIs) {
    History history;
    ViewState state = at(0);
    for (int i = 0; i < 2; ++i) {
        state.lanes = many_styles(400'000, i + 1);
        observe(history, state, kPause, false);
    }
    ASSERT_TRUE(history.can_undo());
    EXPECT_EQ(history.undo()->lanes->style("prog:0").offset_ticks, 1);
}

TEST(History, NamesEverySortOfChange) {
    const ViewState plain = at(0);
    const auto name = [&](auto change) {
        ViewState changed = plain;
        change(changed);
        return difference_of(plain, changed);
    };
    EXPECT_EQ(name([](ViewState& s) { s.lanes.edit().folded.insert("a"); }), "fold lanes");
    EXPECT_EQ(name([](ViewState& s) { s.lanes.edit().order["a"] = {"b"}; }), "move a lane");
    EXPECT_EQ(name([](ViewState& s) { s.lanes.edit().links.push_back({"a", "b"}); }), "link lanes");
    EXPECT_EQ(name([](ViewState& s) { s.lanes.edit().lanes["a"].hidden = true; }), "change a lane");
    EXPECT_EQ(name([](ViewState& s) { s.annotations.edit().zero = 5; }), "set t = 0");
    EXPECT_EQ(name([](ViewState& s) { s.annotations.edit().bookmarks[3] = {}; }), "set a bookmark");
    EXPECT_EQ(name([](ViewState& s) { s.annotations.edit().ranges.push_back({}); }), "keep a range");
    EXPECT_EQ(name([](ViewState& s) { s.table_filter = "x"; }), "filter the table");
    EXPECT_EQ(name([](ViewState& s) { s.shown.first_tick = 9; }), "move the view");
}

}  // namespace
}  // namespace sla::workspace
