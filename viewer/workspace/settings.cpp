#include "viewer/workspace/settings.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

namespace sla::workspace {

namespace {

constexpr int kVersion = 1;

float number_in(const nlohmann::json& from, const char* name, float fallback, float least, float most) {
    const auto found = from.find(name);
    if (found == from.end() || !found->is_number()) return fallback;
    return std::clamp(found->get<float>(), least, most);
}

bool flag_in(const nlohmann::json& from, const char* name, bool fallback) {
    const auto found = from.find(name);
    return found != from.end() && found->is_boolean() ? found->get<bool>() : fallback;
}

ColumnChoices columns_in(const nlohmann::json& from) {
    ColumnChoices choices;
    const auto found = from.find("table_columns");
    if (found == from.end() || !found->is_object()) return choices;
    for (std::size_t i = 0; i < kTableColumns; ++i) {
        const auto one = found->find(kTableColumnInfo[i].id);
        if (one != found->end() && one->is_boolean()) choices[i] = one->get<bool>();
    }
    return choices;
}

nlohmann::json columns_json(const ColumnChoices& choices) {
    nlohmann::json out = nlohmann::json::object();
    for (std::size_t i = 0; i < kTableColumns; ++i) {
        if (choices[i]) out[kTableColumnInfo[i].id] = *choices[i];
    }
    return out;
}

}  // namespace

std::string config_path(std::string_view file) {
    const char* config = std::getenv("XDG_CONFIG_HOME");
    if (config != nullptr && *config == '/') return std::string(config) + "/sla/" + std::string(file);
    const char* home = std::getenv("HOME");
    if (home == nullptr || *home != '/') return {};
    return std::string(home) + "/.config/sla/" + std::string(file);
}

std::string settings_path() {
    return config_path("viewer.json");
}

void Settings::remember(const std::string& target) {
    if (target.empty()) return;
    std::erase(recent, target);
    recent.insert(recent.begin(), target);
    if (recent.size() > kMaxRecent) recent.resize(kMaxRecent);
}

Result<Settings> load_settings(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) return Settings{};
    const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    const Result<Settings> settings = parse_settings(text);
    if (settings) return settings;
    return damaged("the settings in " + path + " " + settings.error().message +
                   " and were left aside; mend or delete the file");
}

Result<Settings> parse_settings(std::string_view text) {
    const nlohmann::json json = nlohmann::json::parse(text, nullptr, false);
    if (!json.is_object()) return damaged("are not readable JSON");
    Settings settings;
    const auto theme = json.find("theme");
    if (theme != json.end() && *theme == "light") settings.theme = ThemeName::kLight;
    settings.scale = number_in(json, "scale", 0, 0, 4);
    settings.motion = flag_in(json, "motion", true);
    settings.splits.names = number_in(json, "names_width", settings.splits.names, 80, 800);
    settings.splits.inspector = number_in(json, "inspector_width", settings.splits.inspector, 200, 800);
    settings.splits.table = number_in(json, "table_height", settings.splits.table, 80, 2000);
    settings.splits.inspector_open = flag_in(json, "inspector_open", true);
    settings.splits.table_open = flag_in(json, "table_open", true);
    settings.table_columns = columns_in(json);
    const auto mouse = json.find("mouse");
    if (mouse != json.end() && *mouse == "profiler") settings.mouse = MousePreset::kProfiler;
    constexpr std::uint64_t kMaxMib = std::uint64_t{1} << 30;
    const auto memory = json.find("live_memory_mib");
    if (memory != json.end() && memory->is_number_unsigned())
        settings.memory_mib = std::min(memory->get<std::uint64_t>(), kMaxMib);
    const auto history = json.find("history_seconds");
    if (history != json.end() && history->is_number_unsigned())
        settings.history_seconds = std::min(history->get<std::uint64_t>(), Settings::kMaxHistorySeconds);
    const auto spill = json.find("spill_directory");
    if (spill != json.end() && spill->is_string()) settings.spill_directory = *spill;
    const auto recent = json.find("recent");
    if (recent != json.end() && recent->is_array()) {
        for (const auto& one : *recent) {
            if (one.is_string() && settings.recent.size() < Settings::kMaxRecent) settings.recent.push_back(one);
        }
    }
    return settings;
}

Result<void> save_settings(const Settings& settings, const std::string& path) {
    const nlohmann::json json = {{"version", kVersion},
                                 {"theme", settings.theme == ThemeName::kLight ? "light" : "dark"},
                                 {"scale", settings.scale},
                                 {"motion", settings.motion},
                                 {"mouse", settings.mouse == MousePreset::kProfiler ? "profiler" : "logic analyzer"},
                                 {"live_memory_mib", settings.memory_mib},
                                 {"spill_directory", settings.spill_directory},
                                 {"history_seconds", settings.history_seconds},
                                 {"recent", settings.recent},
                                 {"names_width", settings.splits.names},
                                 {"inspector_width", settings.splits.inspector},
                                 {"table_height", settings.splits.table},
                                 {"table_columns", columns_json(settings.table_columns)},
                                 {"inspector_open", settings.splits.inspector_open},
                                 {"table_open", settings.splits.table_open}};
    std::error_code ignored;
    std::filesystem::create_directories(std::filesystem::path(path).parent_path(), ignored);
    std::ofstream file(path);
    file << json.dump(2) << '\n';
    if (!file.flush()) return unavailable("cannot write the settings to " + path + "; is the folder writable?");
    return {};
}

}  // namespace sla::workspace
