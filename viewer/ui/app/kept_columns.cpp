#include "viewer/ui/app/kept_columns.h"

#include "viewer/workspace/table/list_columns.h"

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
    std::vector<std::string> lines;
    for (std::string line; std::getline(text, line);) lines.push_back(line);
    settings.list_columns = workspace::list_columns_of(lines);
}

}  // namespace sla::ui
