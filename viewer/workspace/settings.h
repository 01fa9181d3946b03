// What is kept from one start to the next: look and layout, as readable JSON in $XDG_CONFIG_HOME/sla/viewer.json.
#pragma once

#include "proto/base/result.h"
#include "viewer/workspace/source/data_source.h"
#include "viewer/workspace/table/table_columns.h"
#include "viewer/workspace/view/appearance.h"

#include <string>
#include <string_view>
#include <vector>

namespace sla::workspace {

// What a left drag over the lanes does: logic analyzers pan, profilers measure. All else is the same.
enum class MousePreset { kLogicAnalyzer, kProfiler };

struct Settings {
    ThemeName theme = ThemeName::kDark;
    float scale = 0;  // 0: what the display asks for
    bool motion = true;
    bool link_sources = true;  // of two sources that are shown the other goes along
    MousePreset mouse = MousePreset::kLogicAnalyzer;
    Splits splits;
    ColumnChoices table_columns;  // of the event table, as are the next two
    ColumnWidths table_widths{};
    ColumnPlaces table_places = columns_as_declared();
    std::vector<std::string>
        list_columns;                    // widths and places in the lists behind tabs: lines as list_columns_of() gives them
    std::uint64_t memory_mib = 0;        // for live rows of each agent; 0: SourceMemory's own choice
    std::string spill_directory;         // where those go that do not fit; "": SourceMemory's own choice
    std::uint64_t history_seconds = 30;  // of what an agent holds, at first; 0: all
    std::vector<std::string> recent;     // capture files and addresses, without passwords, the newest first

    std::vector<std::string> questions;  // in SQL, the newest first

    static constexpr std::size_t kMaxQuestions = 50;
    static constexpr std::size_t kLongestQuestion = 20'000;
    [[nodiscard]] bool has_question(const std::string& question) const;
    // Keeps it, or keeps it no longer.
    void toggle_question(const std::string& question);
    static constexpr std::size_t kMaxRecent = 12;
    void remember(const std::string& target);
    [[nodiscard]] SourceMemory memory() const {
        return {memory_mib << 20, spill_directory, static_cast<std::int64_t>(history_seconds) * 1'000'000'000};
    }
    static constexpr std::uint64_t kMaxHistorySeconds = 1'000'000'000;
};

// A file in the folder for settings, $XDG_CONFIG_HOME/sla or ~/.config/sla; "" when there is no home to keep it in.
std::string config_path(std::string_view file);
std::string settings_path();
// Defaults for whatever is missing or makes no sense; a file that does not exist is no error.
Result<Settings> load_settings(const std::string& path);
Result<Settings> parse_settings(std::string_view text);
Result<void> save_settings(const Settings& settings, const std::string& path);

}  // namespace sla::workspace
