#include "viewer/workspace/view/view_file.h"

#include "tests/support/temporary_path.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace sla::workspace {
namespace {

ViewState rich() {
    ViewState state;
    timeline::LaneStyle style;
    style.title = "receive \"fast\" \xC3\xBC";
    style.group = "mine";
    style.hue = 3;
    style.offset_ticks = -12345;
    style.look = timeline::LaneLook::kState;
    style.pinned = true;
    style.tall = true;
    timeline::LaneArrangement& lanes = state.lanes.edit();
    lanes.set_style("prog:net.rx", style);
    lanes.set_style("prog:hidden", [] {
        timeline::LaneStyle hidden;
        hidden.hidden = true;
        return hidden;
    }());
    lanes.folded = {"prog/net"};
    lanes.order["prog"] = {"prog:b", "prog:a"};
    lanes.links = {{"prog:a", "prog:b"}};
    lanes.show_hidden = true;
    Annotations& annotations = state.annotations.edit();
    annotations.markers = {{"M1", 1000}, {"", 5}};
    annotations.ranges = {{"R1", 20, 10}};
    annotations.bookmarks[7] = {{100, 200}, "here it hangs"};
    annotations.zero = 4711;
    state.cursors = {timeline::Cursor{1, false}, timeline::Cursor{std::uint64_t{1} << 60, false}};
    state.shown = {ViewMode::kRange, 99, 0.5};
    state.table_filter = "value > 3";
    state.table_collapsed = true;
    state.statistics_options = {true, true};
    state.folds.edit() = {{100, 200}, {300, 4000}};
    state.two_panes = true;
    state.shown_below = {ViewMode::kRange, 7, 3.5};
    state.questions.edit() = {{"queue \xC3\xBC", "SELECT tick, value\nFROM events", QuestionForm::kLane},
                              {"double", "value * 2", QuestionForm::kColumn},
                              {"plain", "SELECT 1", QuestionForm::kAnswer}};
    return state;
}

TEST(ViewFile, ComesBackAsItWas) {
    const auto read = parse_view(view_text(rich(), 42), 42);
    ASSERT_TRUE(read.ok()) << read.error().message;
    EXPECT_EQ(*read, rich());
}

TEST(ViewFile, IsTestedWithAStateInWhichNoFieldIsAsItBegan) {
    for (const ViewField& field : view_fields()) {
        EXPECT_FALSE(field.equal(rich(), ViewState())) << field.difference(ViewState(), rich());
    }
}

TEST(ViewFile, KnowsALowerPaneThatShowsEverything) {
    ViewState state = rich();
    state.shown_below = {};
    const auto read = parse_view(view_text(state, 42), 42);
    ASSERT_TRUE(read.ok());
    EXPECT_EQ(*read, state);
}

TEST(ViewFile, GivesAnotherCaptureTheLanesAndQuestionsAlone) {
    const auto read = parse_view(view_text(rich(), 42), 43);
    ASSERT_TRUE(read.ok());
    EXPECT_EQ(read->lanes, rich().lanes);
    EXPECT_EQ(read->questions, rich().questions);
    EXPECT_TRUE(read->annotations->markers.empty());
    EXPECT_FALSE(read->cursors.a);
    EXPECT_EQ(read->shown.mode, ViewMode::kAll);
}

TEST(ViewFile, IsRefusedWhenItIsNone) {
    for (const char* text : {"", "{", "[]", "7", "{}", "{\"version\": \"1\"}", "{\"version\": 99}", "{\"version\": -1}"}) {
        EXPECT_FALSE(parse_view(text, 1).ok()) << text;
    }
}

TEST(ViewFile, LeavesOutWhatMakesNoSense) {
    const auto read = parse_view(R"({"version": 1, "capture_id": 1, "cursor_a": -5, "cursor_b": 18446744073709551615,
        "lanes": {"folded": [1, null, "x"], "styles": {"a": 7, "b": {"hue": 4000, "look": "odd", "offset_ticks": 1e300}},
                  "order": {"p": "none", "q": [{}]}, "links": [1, {"from": 2}]},
        "questions": [3, {"name": "n"}, {"name": "n", "sql": "x", "form": "odd"}, {"name": "", "sql": "x", "form": "lane"},
                      {"name": "good", "sql": "x", "form": "column"}, {"name": "good", "sql": "y", "form": "column"}],
        "notes": {"markers": [{"tick": "soon"}, {"tick": 5}], "bookmarks": {"3": {"from": 9, "to": 1}, "77": {}}},
        "shown": {"first_tick": 1, "ticks_per_pixel": -1}})",
                                 1);
    ASSERT_TRUE(read.ok());
    EXPECT_FALSE(read->cursors.a);
    EXPECT_FALSE(read->cursors.b);
    EXPECT_EQ(read->lanes->folded, std::set<std::string>{"x"});
    EXPECT_TRUE(read->lanes->lanes.empty());
    EXPECT_EQ(read->questions, (std::vector<KeptQuestion>{{"good", "y", QuestionForm::kColumn}}));
    EXPECT_EQ(read->annotations->markers.size(), 1u);
    EXPECT_TRUE(read->annotations->bookmarks.empty());
    EXPECT_EQ(read->shown.mode, ViewMode::kAll);
}

TEST(ViewFile, IsWrittenWholeOrNotAtAll) {
    const std::filesystem::path folder =
        std::filesystem::path(testing::TempDir()) / ("sla-view-file-test-" + std::to_string(getpid()));
    std::filesystem::remove_all(folder);
    const std::string path = (folder / "run.sla.view.json").string();
    KeptView file;
    ASSERT_TRUE(file.load(path, 42).ok());
    EXPECT_FALSE(file.load(path, 42)->has_value());
    ASSERT_TRUE(file.save(rich(), 42, path).ok());
    const auto loaded = file.load(path, 42);
    ASSERT_TRUE(loaded.ok() && loaded->has_value());
    EXPECT_EQ(**loaded, rich());
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder), {}), 1) << "nothing beside it";
    std::ofstream(path) << "not json";
    EXPECT_FALSE(file.load(path, 42).ok());
    std::filesystem::remove_all(folder);
    EXPECT_FALSE(file.save(rich(), 42, "/proc/no/such/place.json").ok());
}

// Neither loses what a person has noted in it, and one of them says so.
TEST(ViewFile, OfTwoWindowsNoneWritesOverTheOther) {
    const support::TemporaryPath folder("two_windows");
    const std::string path = (folder.path / "run.sla.view.json").string();
    KeptView first;
    KeptView second;
    ASSERT_TRUE(first.load(path, 42).ok() && second.load(path, 42).ok());
    ViewState of_first = rich();
    ViewState of_second = rich();
    of_second.annotations.edit().markers.clear();
    ASSERT_TRUE(first.save(of_first, 42, path).ok());
    const Result<void> saved = second.save(of_second, 42, path);
    ASSERT_FALSE(saved.ok());
    EXPECT_NE(saved.error().message.find("another window has arranged this capture, too"), std::string::npos);
    EXPECT_EQ(**KeptView().load(path, 42), of_second);
    EXPECT_EQ(**KeptView().load(path + ".old", 42), of_first);
    ASSERT_TRUE(second.save(of_second, 42, path).ok());
    EXPECT_EQ(**KeptView().load(path + ".old", 42), of_first) << "its own it may write over";
    EXPECT_FALSE(first.save(of_first, 42, path).ok());
    EXPECT_EQ(**KeptView().load(path + ".old", 42), of_second);
}

}  // namespace
}  // namespace sla::workspace
