#include "viewer/workspace/settings.h"

#include "proto/base/whole_file.h"
#include "proto/wire/utf8.h"
#include "viewer/fleet/fleet_address.h"
#include "viewer/workspace/files/kept_file.h"
#include "viewer/workspace/table/list_columns.h"

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <utility>

namespace sla::workspace {

namespace {

constexpr int kVersion = 1;
constexpr float kMinScale = 0.5F;  // smaller letters nobody reads, and some have no pixel

float kept_number(const nlohmann::json& from, const char* name, float fallback, float least, float most) {
    const auto found = from.find(name);
    if (found == from.end() || !found->is_number()) return fallback;
    return std::clamp(found->get<float>(), least, most);
}

bool kept_flag(const nlohmann::json& from, const char* name, bool fallback) {
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

ColumnWidths widths_in(const nlohmann::json& from) {
    ColumnWidths widths{};
    const auto found = from.find("table_column_widths");
    if (found == from.end() || !found->is_object()) return widths;
    for (std::size_t i = 0; i < kTableColumns; ++i)
        widths[i] = kept_number(*found, kTableColumnInfo[i].id, 0, kMinColumnWidth, kMaxColumnWidth);
    return widths;
}

nlohmann::json widths_json(const ColumnWidths& widths) {
    nlohmann::json out = nlohmann::json::object();
    for (std::size_t i = 0; i < kTableColumns; ++i) {
        if (widths[i] > 0) out[kTableColumnInfo[i].id] = widths[i];
    }
    return out;
}

// Columns that are not named, as those of a later version, stand behind those that are.
ColumnPlaces places_in(const nlohmann::json& from) {
    ColumnPlaces places = columns_as_declared();
    const auto found = from.find("table_column_order");
    if (found == from.end() || !found->is_array()) return places;
    auto placed = places.begin();
    for (const auto& name : *found) {
        const auto named = std::find_if(placed, places.end(), [&](std::size_t i) { return name == kTableColumnInfo[i].id; });
        if (named == places.end()) continue;
        std::rotate(placed, named, named + 1);
        ++placed;
    }
    return places;
}

nlohmann::json places_json(const ColumnPlaces& places) {
    nlohmann::json out = nlohmann::json::array();
    for (const std::size_t i : places) out.push_back(kTableColumnInfo[i].id);
    return out;
}

// JSON has no other text: a path that is none would come back as another one.
nlohmann::json texts_json(const std::vector<std::string>& texts) {
    nlohmann::json out = nlohmann::json::array();
    for (const std::string& text : texts) {
        if (wire::is_utf8(text)) out.push_back(text);
    }
    return out;
}

std::vector<std::string> list_columns_in(const nlohmann::json& from) {
    std::vector<std::string> lines;
    const auto found = from.find("list_columns");
    if (found == from.end() || !found->is_array()) return lines;
    for (const auto& line : *found) {
        if (line.is_string()) lines.push_back(line);
    }
    return list_columns_of(lines);
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
    std::string shown = fleet::shown_address(target);
    std::erase(recent, shown);
    recent.insert(recent.begin(), std::move(shown));
    if (recent.size() > kMaxRecent) recent.resize(kMaxRecent);
}

bool Settings::has_question(const std::string& question) const {
    return std::find(questions.begin(), questions.end(), question) != questions.end();
}

void Settings::toggle_question(const std::string& question) {
    if (question.empty() || question.size() > kLongestQuestion || std::erase(questions, question) > 0) return;
    questions.insert(questions.begin(), question);
    if (questions.size() > kMaxQuestions) questions.resize(kMaxQuestions);
}

Result<Settings> load_settings(const std::string& path) {
    const Result<std::optional<std::string>> text = read_file_if_there(path);
    if (!text) return text.error();
    if (!*text) return Settings{};
    const Result<Settings> settings = parse_settings(**text);
    if (settings) return settings;
    return damaged("the settings in " + path + " " + settings.error().message +
                   " and were left aside; when the window closes that file becomes " + name_aside(path));
}

Result<Settings> parse_settings(std::string_view text) {
    const nlohmann::json json = nlohmann::json::parse(text, nullptr, false);
    if (!json.is_object()) return damaged("are not readable JSON");
    const auto version = json.find("version");
    if (version != json.end() && version->is_number() && version->get<double>() > kVersion)
        return damaged("were written by a newer sla-viewer");
    Settings settings;
    const auto theme = json.find("theme");
    if (theme != json.end() && *theme == "light") settings.theme = ThemeName::kLight;
    settings.scale = kept_number(json, "scale", 0, 0, 4);
    if (settings.scale < kMinScale) settings.scale = 0;
    settings.motion = kept_flag(json, "motion", true);
    settings.link_sources = kept_flag(json, "link_sources", true);
    settings.splits.names = kept_number(json, "names_width", settings.splits.names, 80, 800);
    settings.splits.inspector = kept_number(json, "inspector_width", settings.splits.inspector, 200, 800);
    settings.splits.table = kept_number(json, "table_height", settings.splits.table, 80, 2000);
    settings.splits.inspector_open = kept_flag(json, "inspector_open", true);
    settings.splits.table_open = kept_flag(json, "table_open", true);
    settings.table_columns = columns_in(json);
    settings.table_widths = widths_in(json);
    settings.table_places = places_in(json);
    settings.list_columns = list_columns_in(json);
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
            if (one.is_string() && settings.recent.size() < Settings::kMaxRecent)
                settings.recent.push_back(fleet::shown_address(one.get_ref<const std::string&>()));
        }
    }
    const auto questions = json.find("questions");
    if (questions != json.end() && questions->is_array()) {
        for (const auto& one : *questions) {
            const bool is_kept = one.is_string() && settings.questions.size() < Settings::kMaxQuestions;
            if (is_kept && one.get_ref<const std::string&>().size() <= Settings::kLongestQuestion)
                settings.questions.push_back(one);
        }
    }
    return settings;
}

Result<void> save_settings(const Settings& settings, const std::string& path) {
    const std::string spill = wire::is_utf8(settings.spill_directory) ? settings.spill_directory : "";
    const nlohmann::json json = {{"version", kVersion},
                                 {"theme", settings.theme == ThemeName::kLight ? "light" : "dark"},
                                 {"scale", settings.scale},
                                 {"motion", settings.motion},
                                 {"link_sources", settings.link_sources},
                                 {"mouse", settings.mouse == MousePreset::kProfiler ? "profiler" : "logic analyzer"},
                                 {"live_memory_mib", settings.memory_mib},
                                 {"spill_directory", spill},
                                 {"history_seconds", settings.history_seconds},
                                 {"recent", texts_json(settings.recent)},
                                 {"questions", texts_json(settings.questions)},
                                 {"names_width", settings.splits.names},
                                 {"inspector_width", settings.splits.inspector},
                                 {"table_height", settings.splits.table},
                                 {"table_columns", columns_json(settings.table_columns)},
                                 {"table_column_widths", widths_json(settings.table_widths)},
                                 {"table_column_order", places_json(settings.table_places)},
                                 {"list_columns", settings.list_columns},
                                 {"inspector_open", settings.splits.inspector_open},
                                 {"table_open", settings.splits.table_open}};
    const std::string text = json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
    return write_kept_file(path, text, "write the settings to");
}

}  // namespace sla::workspace
