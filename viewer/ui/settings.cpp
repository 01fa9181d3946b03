#include "viewer/ui/settings.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

namespace sla::ui {

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

}  // namespace

std::string settings_path() {
    const char* config = std::getenv("XDG_CONFIG_HOME");
    if (config != nullptr && *config == '/') return std::string(config) + "/sla/viewer.json";
    const char* home = std::getenv("HOME");
    if (home == nullptr || *home != '/') return {};
    return std::string(home) + "/.config/sla/viewer.json";
}

Result<Settings> load_settings(const std::string& path) {
    Settings settings;
    std::ifstream file(path);
    if (!file) return settings;
    const nlohmann::json json = nlohmann::json::parse(file, nullptr, false);
    if (!json.is_object()) {
        return damaged("the settings in " + path + " are not readable JSON and were left aside; mend or delete the file");
    }
    const auto theme = json.find("theme");
    if (theme != json.end() && *theme == "light") settings.theme = ThemeName::kLight;
    settings.scale = number_in(json, "scale", 0, 0, 4);
    settings.motion = flag_in(json, "motion", true);
    settings.splits.names = number_in(json, "names_width", settings.splits.names, 80, 800);
    settings.splits.inspector = number_in(json, "inspector_width", settings.splits.inspector, 200, 800);
    settings.splits.table = number_in(json, "table_height", settings.splits.table, 80, 2000);
    settings.splits.inspector_open = flag_in(json, "inspector_open", true);
    settings.splits.table_open = flag_in(json, "table_open", true);
    return settings;
}

Result<void> save_settings(const Settings& settings, const std::string& path) {
    const nlohmann::json json = {{"version", kVersion},
                                 {"theme", settings.theme == ThemeName::kLight ? "light" : "dark"},
                                 {"scale", settings.scale},
                                 {"motion", settings.motion},
                                 {"names_width", settings.splits.names},
                                 {"inspector_width", settings.splits.inspector},
                                 {"table_height", settings.splits.table},
                                 {"inspector_open", settings.splits.inspector_open},
                                 {"table_open", settings.splits.table_open}};
    std::error_code ignored;
    std::filesystem::create_directories(std::filesystem::path(path).parent_path(), ignored);
    std::ofstream file(path);
    file << json.dump(2) << '\n';
    if (!file.flush()) return unavailable("cannot write the settings to " + path + "; is the folder writable?");
    return {};
}

}  // namespace sla::ui
