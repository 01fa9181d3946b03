#include "viewer/ui/commands/keymap.h"

#include "viewer/workspace/fuzzy.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <set>

namespace sla::ui {
namespace {

TEST(Chords, are_read_and_written) {
    for (const char* text : {"W", "Shift+M", "Ctrl+Shift+P", "PageUp", "?", "+", "Ctrl+=", "Ctrl++", "Space", "F5"}) {
        const auto chord = parse_chord(text);
        ASSERT_TRUE(chord.ok()) << text;
        EXPECT_EQ(chord_text(*chord), text);
    }
    EXPECT_EQ(parse_chord("ctrl+f")->key, "F");
    EXPECT_TRUE(parse_chord("ctrl+f")->ctrl);
    EXPECT_FALSE(parse_chord("w")->shift);
    for (const char* text : {"", "Ctrl+", "Alt+F", "Upp", "+W", "Ctrl+Ctrl", "\xC3\xBC"}) {
        EXPECT_FALSE(parse_chord(text).ok()) << text;
    }
}

TEST(Actions, have_names_and_keys_of_their_own) {
    std::set<std::string> ids;
    for (const Action& action : actions()) {
        EXPECT_TRUE(ids.insert(action.id).second) << action.id << " twice";
        EXPECT_NE(action.run, nullptr);
        EXPECT_FALSE(std::string(action.title).empty());
    }
    const Keymap keys;  // stops when two actions want one key
    EXPECT_EQ(keys.action_for(*parse_chord("W")), action_named("zoom-in"));
    EXPECT_EQ(keys.action_for(*parse_chord("Ctrl+Z")), action_named("undo"));
    EXPECT_EQ(action_named("no-such"), nullptr);
}

TEST(Keymap, takes_the_keys_of_a_file) {
    Keymap keys;
    ASSERT_TRUE(keys.apply(R"({"version": 1, "keys": {"zoom-in": ["F", "Ctrl+Up"], "marker": []}})").ok());
    EXPECT_EQ(keys.action_for(*parse_chord("F")), action_named("zoom-in"));
    EXPECT_EQ(keys.action_for(*parse_chord("Ctrl+Up")), action_named("zoom-in"));
    EXPECT_EQ(keys.action_for(*parse_chord("W")), nullptr);
    EXPECT_EQ(keys.action_for(*parse_chord("M")), nullptr);
    EXPECT_TRUE(keys.chords_of(*action_named("fit")).empty());
    EXPECT_TRUE(keys.chords_of(*action_named("lane-up")).empty());
}

TEST(Keymap, leaves_what_is_wrong_in_a_file_and_says_so) {
    for (const char* text :
         {"", "[]", "{}", R"({"keys": []})", R"({"keys": {"no-such": ["F"]}})", R"({"keys": {"fit": "F"}})",
          R"({"keys": {"fit": [7]}})", R"({"keys": {"fit": ["X", "Hyper+F"]}})"}) {
        Keymap keys;
        const auto applied = keys.apply(text);
        EXPECT_FALSE(applied.ok()) << text;
        EXPECT_EQ(keys.action_for(*parse_chord("F")), action_named("fit"));
        EXPECT_EQ(keys.action_for(*parse_chord("W")), action_named("zoom-in"));
        EXPECT_EQ(keys.action_for(*parse_chord("X")), nullptr);
    }
    Keymap keys;
    const auto applied = keys.apply(R"({"keys": {"fit": ["Hyper+F"], "zoom-in": ["Q"]}})");
    ASSERT_FALSE(applied.ok());
    EXPECT_NE(applied.error().message.find("\"fit\""), std::string::npos);
    EXPECT_EQ(keys.action_for(*parse_chord("Q")), action_named("zoom-in")) << "what is right counts";
}

TEST(Keymap, keeps_the_old_file_when_it_is_written_anew) {
    const auto folder = std::filesystem::path(testing::TempDir()) / ("sla-keys-" + std::to_string(getpid()));
    std::filesystem::create_directories(folder);
    const std::string path = (folder / "keys.json").string();
    std::ofstream(path) << R"({"keys": {"zoom-in": ["Q"], "gone": ["X"]}})";
    Keymap keys;
    EXPECT_FALSE(keys.load(path).ok());
    ASSERT_TRUE(keys.save(path).ok());
    EXPECT_TRUE(std::filesystem::exists(path + ".old"));
    Keymap again;
    EXPECT_TRUE(again.load(path).ok());
    EXPECT_EQ(again.action_for(*parse_chord("Q")), action_named("zoom-in"));
    std::filesystem::remove_all(folder);
}

TEST(Keymap, reads_what_it_writes) {
    Keymap keys;
    ASSERT_TRUE(keys.apply(R"({"keys": {"zoom-in": ["Q"]}})").ok());
    Keymap again;
    ASSERT_TRUE(again.apply(keys.text()).ok());
    EXPECT_EQ(again.text(), keys.text());
    EXPECT_EQ(again.keys_of(*action_named("zoom-in")), "Q");
}

TEST(Fuzzy, finds_letters_in_their_order) {
    EXPECT_TRUE(fuzzy_score("", "anything"));
    EXPECT_TRUE(fuzzy_score("zi", "Zoom in"));
    EXPECT_TRUE(fuzzy_score("ZOOM", "zoom out"));
    EXPECT_FALSE(fuzzy_score("iz", "Zoom in"));
    EXPECT_FALSE(fuzzy_score("zoomx", "Zoom"));
    EXPECT_FALSE(fuzzy_score("zz", "Zoom"));
}

TEST(Fuzzy, prefers_beginnings_of_words_and_runs) {
    EXPECT_GT(*fuzzy_score("zi", "Zoom in"), *fuzzy_score("zi", "azimuth of it"));
    EXPECT_GT(*fuzzy_score("net", "net.rx"), *fuzzy_score("net", "new event"));
    EXPECT_GT(*fuzzy_score("exp", "Export"), *fuzzy_score("exp", "next page"));
}

TEST(Fuzzy, prefers_letters_that_stand_together_to_those_gathered_from_afar) {
    const auto better = [](const char* typed, const char* meant, const char* other) {
        EXPECT_GT(fuzzy_score(typed, meant), fuzzy_score(typed, other)) << typed;
    };
    better("shts", "Panels: Shots", "Search: Next hit of the search");
    better("shots", "Panels: Shots", "Panels: Shots over each other at t = 0");
    better("nh", "Search: Next hit of the search", "Lane: machine");
    better("gaps", "Panels: Gaps", "View: Go to the newest event, and stay");
    better("undo", "Window: Undo", "Lane: pipe.unbounded");
    better("mark", "Panels: Markers", "Measure: Set a marker at the mouse, or the selected event");
}

}  // namespace
}  // namespace sla::ui
