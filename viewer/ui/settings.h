// What is kept from one start to the next: look and layout, as readable JSON in $XDG_CONFIG_HOME/sla/viewer.json.
#pragma once

#include "proto/base/result.h"
#include "viewer/ui/layout.h"
#include "viewer/ui/theme.h"

#include <string>

namespace sla::ui {

struct Settings {
    ThemeName theme = ThemeName::kDark;
    float scale = 0;  // 0: what the display asks for
    bool motion = true;
    Splits splits;
};

// "" when there is no home to keep it in.
std::string settings_path();
// Defaults for whatever is missing or makes no sense; a file that does not exist is no error.
Result<Settings> load_settings(const std::string& path);
Result<void> save_settings(const Settings& settings, const std::string& path);

}  // namespace sla::ui
