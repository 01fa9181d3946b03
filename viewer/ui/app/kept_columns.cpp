#include "viewer/ui/app/kept_columns.h"

#include <imgui.h>

#include <sstream>
#include <string>

namespace sla::ui {

void restore_list_columns(const workspace::Settings& settings) {
    std::string text;
    for (const std::string& line : settings.list_columns) text += line + "\n";
    ImGui::LoadIniSettingsFromMemory(text.data(), text.size());
}

// Only of tables: where windows stand is none of ImGui's business here.
void keep_list_columns(workspace::Settings& settings) {
    std::istringstream text(ImGui::SaveIniSettingsToMemory());
    settings.list_columns.clear();
    bool is_table = false;
    for (std::string line; std::getline(text, line);) {
        if (line.rfind('[', 0) == 0) is_table = line.rfind("[Table]", 0) == 0;
        if (is_table && workspace::is_list_columns(line)) settings.list_columns.push_back(line);
    }
}

}  // namespace sla::ui
