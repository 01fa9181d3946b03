#include "viewer/workspace/view/history.h"

#include <gtest/gtest.h>

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
    state.annotations.markers.push_back({"M1", 7});
    observe(history, state, kPause, false);
    EXPECT_EQ(history.undo_words(), "add a marker");
    const auto without = history.undo();
    ASSERT_TRUE(without);
    EXPECT_TRUE(without->annotations.markers.empty());
    EXPECT_TRUE(without->cursors.a);
    observe(history, *without, kFrame, false);
    EXPECT_EQ(history.undo_words(), "place cursor A");
    EXPECT_EQ(history.redo_words(), "add a marker");
    const auto again = history.redo();
    ASSERT_TRUE(again);
    EXPECT_EQ(again->annotations.markers.size(), 1u);
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

TEST(History, NamesEverySortOfChange) {
    const ViewState plain = at(0);
    const auto name = [&](auto change) {
        ViewState changed = plain;
        change(changed);
        return difference_of(plain, changed);
    };
    EXPECT_EQ(name([](ViewState& s) { s.lanes.folded.insert("a"); }), "fold lanes");
    EXPECT_EQ(name([](ViewState& s) { s.lanes.order["a"] = {"b"}; }), "move a lane");
    EXPECT_EQ(name([](ViewState& s) { s.lanes.links.push_back({"a", "b"}); }), "link lanes");
    EXPECT_EQ(name([](ViewState& s) { s.lanes.lanes["a"].hidden = true; }), "change a lane");
    EXPECT_EQ(name([](ViewState& s) { s.annotations.zero = 5; }), "set t = 0");
    EXPECT_EQ(name([](ViewState& s) { s.annotations.bookmarks[3] = {}; }), "set a bookmark");
    EXPECT_EQ(name([](ViewState& s) { s.annotations.ranges.push_back({}); }), "keep a range");
    EXPECT_EQ(name([](ViewState& s) { s.table_filter = "x"; }), "filter the table");
    EXPECT_EQ(name([](ViewState& s) { s.shown.first_tick = 9; }), "move the view");
}

}  // namespace
}  // namespace sla::workspace
