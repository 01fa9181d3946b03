#include "viewer/ui/commands/keymap.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <set>

namespace sla::ui {
namespace {

TEST(Chords, AreReadAndWritten) {
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

TEST(Actions, HaveNamesAndKeysOfTheirOwn) {
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

TEST(Keymap, WordsNameTheKeysThatTheyHave) {
    Keymap keys;
    EXPECT_EQ(keys.with_keys("Show everything  ({fit})"), "Show everything  (F)");
    EXPECT_EQ(keys.with_keys("press {cursor-a} and {cursor-b}, or {no such"), "press 1 and 2, or {no such");
    ASSERT_TRUE(keys.apply(R"({"version": 1, "keys": {"fit": ["Ctrl+G", "F4"], "marker": []}})").ok());
    EXPECT_EQ(keys.with_keys("Show everything  ({fit})"), "Show everything  (Ctrl+G)");
    EXPECT_EQ(keys.with_keys("Mark  ({marker})!"), "Mark!");
    EXPECT_EQ(keys.with_keys("press {marker} here"), "press the key of \"marker\" here");
}

TEST(Keymap, ADigitGoesToThePlaceThatCtrlKeepsUnderIt) {
    const Keymap keys;
    for (char digit = '0'; digit <= '9'; ++digit) {
        const Action* const keeps = keys.action_for(*parse_chord(std::string("Ctrl+") + digit));
        const Action* const goes = action_named(std::string("bookmark-") + digit);
        const bool is_cursor = digit == '1' || digit == '2';
        EXPECT_EQ(keeps, is_cursor ? nullptr : action_named(std::string("set-bookmark-") + digit)) << digit;
        if (is_cursor) continue;
        EXPECT_EQ(keys.action_for(*parse_chord(std::string(1, digit))), goes) << digit;
    }
    EXPECT_EQ(keys.action_for(*parse_chord("1")), action_named("cursor-a"));
}

TEST(Keymap, TakesTheKeysOfAFile) {
    Keymap keys;
    ASSERT_TRUE(keys.apply(R"({"version": 1, "keys": {"zoom-in": ["F", "Ctrl+Up"], "marker": []}})").ok());
    EXPECT_EQ(keys.action_for(*parse_chord("F")), action_named("zoom-in"));
    EXPECT_EQ(keys.action_for(*parse_chord("Ctrl+Up")), action_named("zoom-in"));
    EXPECT_EQ(keys.action_for(*parse_chord("W")), nullptr);
    EXPECT_EQ(keys.action_for(*parse_chord("M")), nullptr);
    EXPECT_TRUE(keys.chords_of(*action_named("fit")).empty());
    EXPECT_TRUE(keys.chords_of(*action_named("lane-up")).empty());
}

TEST(Keymap, LeavesWhatIsWrongInAFileAndSaysSo) {
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

TEST(Keymap, SaysWhichTwoAFileGivesTheSameKey) {
    Keymap keys;
    const auto applied = keys.apply(R"({"keys": {"fit": ["W"], "zoom-in": ["W", "Up"]}})");
    ASSERT_FALSE(applied.ok()) << "one of them has none now";
    for (const char* word : {"W ", "\"fit\"", "\"zoom-in\""})
        EXPECT_NE(applied.error().message.find(word), std::string::npos) << applied.error().message;
    EXPECT_EQ(keys.action_for(*parse_chord("W")), action_named("zoom-in"));
    Keymap whole;
    EXPECT_TRUE(whole.apply(Keymap().text()).ok()) << "what the window writes gives each key once";
}

TEST(Keymap, KeepsTheOldFileWhenItIsWrittenAnew) {
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

TEST(Keymap, ReadsWhatItWrites) {
    Keymap keys;
    ASSERT_TRUE(keys.apply(R"({"keys": {"zoom-in": ["Q"]}})").ok());
    Keymap again;
    ASSERT_TRUE(again.apply(keys.text()).ok());
    EXPECT_EQ(again.text(), keys.text());
    EXPECT_EQ(again.keys_of(*action_named("zoom-in")), "Q");
}

}  // namespace
}  // namespace sla::ui
