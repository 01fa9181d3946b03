#include "viewer/workspace/settings.h"

#include "viewer/workspace/kept_settings.h"
#include "viewer/workspace/table/list_columns.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace sla::workspace {
namespace {

class SettingsFile : public ::testing::Test {
protected:
    SettingsFile() { std::filesystem::remove_all(folder_); }
    ~SettingsFile() override { std::filesystem::remove_all(folder_); }
    std::filesystem::path folder_ =
        std::filesystem::path(testing::TempDir()) / ("sla-settings-test-" + std::to_string(getpid()));
    std::string path_ = (folder_ / "sub" / "viewer.json").string();
};

TEST_F(SettingsFile, HoldNoPasswordOfAFleet) {
    const std::string shown = "fleet:nats://h:4222/prod";
    Settings settings;
    settings.remember("fleet:nats://me:secret@h/prod");
    settings.remember("fleet:nats://me:other@h/prod");
    EXPECT_EQ(settings.recent, std::vector<std::string>{shown});
    const auto read = parse_settings(R"({"version": 1, "recent": ["fleet:nats://me:secret@h/prod", "/tmp/run.sla"]})");
    ASSERT_TRUE(read.ok());
    EXPECT_EQ(read->recent, (std::vector<std::string>{shown, "/tmp/run.sla"}));
}

TEST_F(SettingsFile, ComeBackAsTheyWereSaved) {
    Settings settings;
    settings.theme = ThemeName::kLight;
    settings.splits.names = 300;
    settings.splits.table_open = false;
    settings.table_columns[3] = false;
    settings.table_columns[8] = true;
    settings.history_seconds = 0;
    ASSERT_TRUE(save_settings(settings, path_).ok());
    const auto loaded = load_settings(path_);
    ASSERT_TRUE(loaded.ok());
    EXPECT_EQ(loaded->theme, ThemeName::kLight);
    EXPECT_EQ(loaded->splits.names, 300.0F);
    EXPECT_FALSE(loaded->splits.table_open);
    EXPECT_TRUE(loaded->splits.inspector_open);
    EXPECT_EQ(loaded->table_columns, settings.table_columns);
    EXPECT_EQ(loaded->history_seconds, 0u);
    EXPECT_EQ(loaded->memory().history_ns, 0);
}

TEST_F(SettingsFile, AreDefaultsWhenThereIsNoFile) {
    const auto loaded = load_settings(path_);
    ASSERT_TRUE(loaded.ok());
    EXPECT_EQ(loaded->theme, ThemeName::kDark);
    EXPECT_EQ(loaded->memory().history_ns, 30'000'000'000);
}

TEST_F(SettingsFile, SaySoWhenTheyCannotBeRead) {
    std::filesystem::create_directories(folder_ / "sub");
    std::ofstream(path_) << "{ not json";
    EXPECT_FALSE(load_settings(path_).ok());
    std::ofstream(path_) << R"({"theme": 7, "names_width": "wide", "table_height": -1e9, "scale": 1e9})";
    const auto loaded = load_settings(path_);
    ASSERT_TRUE(loaded.ok());
    EXPECT_GE(loaded->splits.table, 80.0F);
    EXPECT_LE(loaded->scale, 4.0F);
}

TEST_F(SettingsFile, OfANewerProgramAreNotReadAsIfTheyWereOurs) {
    const auto newer = parse_settings(R"({"version": 2, "theme": {"of": "later"}})");
    ASSERT_FALSE(newer.ok());
    EXPECT_NE(newer.error().message.find("newer"), std::string::npos);
    EXPECT_TRUE(parse_settings(R"({"version": 1})").ok());
}

TEST_F(SettingsFile, HaveNoScaleAtWhichLettersHaveNoPixels) {
    const auto tiny = parse_settings(R"({"scale": 0.01})");
    ASSERT_TRUE(tiny.ok());
    EXPECT_EQ(tiny->scale, 0) << "as the display asks";
    EXPECT_EQ(parse_settings(R"({"scale": 0.5})")->scale, 0.5F);
}

TEST_F(SettingsFile, LoseNothingByAPathThatIsNoText) {
    Settings settings;
    settings.questions = {"SELECT 1", "SELECT '\xff'"};
    settings.recent = {"/tmp/\xff\xfe.sla", "/tmp/run.sla"};
    settings.spill_directory = "/tmp/\xff";
    ASSERT_TRUE(save_settings(settings, path_).ok());
    const auto loaded = load_settings(path_);
    ASSERT_TRUE(loaded.ok()) << loaded.error().message;
    EXPECT_EQ(loaded->recent, std::vector<std::string>{"/tmp/run.sla"});
    EXPECT_EQ(loaded->questions, std::vector<std::string>{"SELECT 1"});
    EXPECT_EQ(loaded->spill_directory, "");
}

TEST_F(SettingsFile, OfTwoWindowsHoldWhatEachHasChanged) {
    Settings before;
    before.recent = {"old.sla", "older.sla"};
    before.questions = {"SELECT 1", "SELECT 2"};
    ASSERT_TRUE(save_settings(before, path_).ok());
    KeptSettings first(path_);
    KeptSettings second(path_);
    Settings of_first = *first.load();
    Settings of_second = *second.load();
    of_first.remember("c.sla");
    of_first.remember("older.sla");
    of_first.toggle_question("SELECT 3");
    of_first.theme = ThemeName::kLight;
    of_second.remember("d.sla");
    of_second.toggle_question("SELECT 1");
    of_second.splits.table_open = false;
    ASSERT_TRUE(first.save(of_first).ok());
    ASSERT_TRUE(second.save(of_second).ok());
    const auto loaded = load_settings(path_);
    ASSERT_TRUE(loaded.ok());
    EXPECT_EQ(loaded->recent, (std::vector<std::string>{"d.sla", "older.sla", "c.sla", "old.sla"}));
    EXPECT_EQ(loaded->questions, (std::vector<std::string>{"SELECT 3", "SELECT 2"}));
    EXPECT_EQ(loaded->theme, ThemeName::kLight);
    EXPECT_FALSE(loaded->splits.table_open);
}

TEST_F(SettingsFile, HoldNothingThatOneStartWasAskedFor) {
    KeptSettings kept(path_);
    Settings settings = *kept.load();
    settings.history_seconds = 0;
    settings.theme = ThemeName::kLight;
    settings.memory_mib = 100;
    kept.begin_with(settings);
    settings.memory_mib = 200;  // by the person, in the dialog
    ASSERT_TRUE(kept.save(settings).ok());
    const auto loaded = load_settings(path_);
    ASSERT_TRUE(loaded.ok());
    EXPECT_EQ(loaded->history_seconds, 30u);
    EXPECT_EQ(loaded->theme, ThemeName::kDark);
    EXPECT_EQ(loaded->memory_mib, 200u);
}

TEST_F(SettingsFile, ThatCannotBeReadAreSetAsideAndNotWrittenOver) {
    std::filesystem::create_directories(folder_ / "sub");
    std::ofstream(path_) << "{ not json";
    KeptSettings kept(path_);
    EXPECT_FALSE(kept.load().ok());
    ASSERT_TRUE(kept.save(Settings{}).ok());
    EXPECT_TRUE(load_settings(path_).ok());
    EXPECT_TRUE(std::filesystem::exists(path_ + ".old"));
}

// As on a full disk: a file that may grow to so many bytes only.
TEST_F(SettingsFile, StandAsTheyWereWhereThereIsNoSpaceForNewOnes) {
    Settings settings;
    settings.questions = {"SELECT 1"};
    ASSERT_TRUE(save_settings(settings, path_).ok());
    const auto before = std::signal(SIGXFSZ, SIG_IGN);
    rlimit limit{};
    ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &limit), 0);
    const rlimit small{16, limit.rlim_max};
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
    settings.questions = {"SELECT 2"};
    const auto saved = save_settings(settings, path_);
    setrlimit(RLIMIT_FSIZE, &limit);
    std::signal(SIGXFSZ, before);
    EXPECT_FALSE(saved.ok());
    const auto loaded = load_settings(path_);
    ASSERT_TRUE(loaded.ok()) << loaded.error().message;
    EXPECT_EQ(loaded->questions, std::vector<std::string>{"SELECT 1"});
    for (const auto& entry : std::filesystem::directory_iterator(folder_ / "sub"))
        EXPECT_EQ(entry.path(), path_) << "half a file is left";
}

TEST_F(SettingsFile, ThatALinkLeadsToAreWrittenThere) {
    std::filesystem::create_directories(folder_ / "sub");
    std::ofstream(folder_ / "elsewhere.json") << "{}";
    std::filesystem::create_symlink(folder_ / "elsewhere.json", path_);
    Settings settings;
    settings.theme = ThemeName::kLight;
    ASSERT_TRUE(save_settings(settings, path_).ok());
    EXPECT_TRUE(std::filesystem::is_symlink(path_));
    EXPECT_EQ(load_settings((folder_ / "elsewhere.json").string())->theme, ThemeName::kLight);
}

TEST_F(SettingsFile, KeepHowColumnsWereDraggedAndMoved) {
    Settings settings;
    settings.table_widths[1] = 180;
    move_column(settings.table_places, 2, 0);
    settings.list_columns = {"[Table][0x0012ABCD,6]", "Column 0  Width=60", "Column 1  Weight=1.4000 Visible=1 Order=2"};
    ASSERT_TRUE(save_settings(settings, path_).ok());
    const auto loaded = load_settings(path_);
    ASSERT_TRUE(loaded.ok());
    EXPECT_EQ(loaded->table_widths, settings.table_widths);
    EXPECT_EQ(loaded->table_places, settings.table_places);
    EXPECT_EQ(loaded->table_places[0], 2u);
    EXPECT_EQ(loaded->list_columns, settings.list_columns);
}

TEST_F(SettingsFile, ColumnsThatAFileHasTwiceOrNotOrTooWideAreAllThereOnce) {
    const auto loaded = parse_settings(
        R"({"table_column_order": ["text", "text", "no such", 7, "time"], "table_column_widths": {"time": 1e9, "kind": -4, "text": "x"}})");
    ASSERT_TRUE(loaded.ok());
    EXPECT_EQ(kTableColumnInfo[loaded->table_places[0]].id, std::string("text"));
    EXPECT_EQ(kTableColumnInfo[loaded->table_places[1]].id, std::string("time"));
    ColumnPlaces sorted = loaded->table_places;
    std::sort(sorted.begin(), sorted.end());
    EXPECT_EQ(sorted, columns_as_declared());
    const auto width = [&](TableColumn column) { return loaded->table_widths[static_cast<std::size_t>(column)]; };
    EXPECT_EQ(width(TableColumn::kTime), kMaxColumnWidth);
    EXPECT_EQ(width(TableColumn::kKind), kMinColumnWidth);
    EXPECT_EQ(width(TableColumn::kText), 0.0F);
}

TEST(ListColumns, OfAFileAreOnlyThoseThatAPersonCanMake) {
    const auto is_table = [](const char* line) { return list_columns_of({line}).size() == 1; };
    EXPECT_TRUE(is_table("[Table][0xFFFFFFFF,64]"));
    for (const char* line : {"[Table][0x1,65]", "[Table][0x1,0]", "[Table][0x1,-3]", "[Table][0x1,6] and more",
                             "[Window][Debug##Default]", "Column 0 Width=12", "Column", ""})
        EXPECT_FALSE(is_table(line)) << line;
    const auto is_column = [](const char* line) { return list_columns_of({"[Table][0x1,32]", line}).size() == 2; };
    EXPECT_TRUE(is_column("Column 31 Width=12 Visible=0 Order=31"));
    for (const char* line : {"Column 32 Width=12", "Column -1 Width=12", "Column 0 Width=nan", "Column 0 Order=-1",
                             "Column 0 Weight=99999999999999999999", "Column 0 Order=32", "Column 0 Order=64",
                             "Column 0 Order=3.5", "Column 0 Width=", "Column 0 Sort=0v", "Column 0 Width", "Column", ""})
        EXPECT_FALSE(is_column(line)) << line;
}

TEST(ListColumns, OfATableThatIsNotTakenAreNotGivenToTheOneBefore) {
    const std::vector<std::string> good{"[Table][0x1,3]", "Column 0  Width=60"};
    std::vector<std::string> lines = good;
    lines.insert(lines.end(), {"[Table][0x2,65]", "Column 1  Width=80"});
    EXPECT_EQ(list_columns_of(lines), good);
}

TEST(TableColumns, MoveToEitherSideAndTheOthersMakeSpace) {
    ColumnPlaces places = columns_as_declared();
    move_column(places, 1, 3);
    EXPECT_EQ((std::vector<std::size_t>(places.begin(), places.begin() + 5)), (std::vector<std::size_t>{0, 2, 3, 1, 4}));
    move_column(places, 1, 2);
    EXPECT_EQ(places, columns_as_declared());
    move_column(places, 5, 5);
    EXPECT_EQ(places, columns_as_declared());
}

}  // namespace
}  // namespace sla::workspace
