// Which of the system's fonts has characters that ours lack, as names in Chinese or Arabic need them. Asks fontconfig.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace sla::ui {

struct FontFile {
    std::string path;
    unsigned index = 0;  // of the face in its file
};

// The fewest files that have them between them; characters that no font has are left out.
std::vector<FontFile> fonts_with(const std::set<std::uint16_t>& characters);

}  // namespace sla::ui
