// What people may drag or switch of the window's look; kept in the settings.
#pragma once

#include <cstdint>

namespace sla::workspace {

enum class ThemeName : std::uint8_t { kDark, kLight };

// At scale 1.
struct Splits {
    float names = 216;
    float inspector = 272;
    float table = 232;
    bool inspector_open = true;
    bool table_open = true;
    // Asked for by the person where they do not fit beside lanes of good size: the lanes give way. Not kept.
    bool inspector_first = false;
    bool table_first = false;

    void show_inspector() { inspector_open = inspector_first = true; }
    void show_table() { table_open = table_first = true; }
};

}  // namespace sla::workspace
