#include "viewer/workspace/settings.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

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

}  // namespace
}  // namespace sla::workspace
