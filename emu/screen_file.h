// The guest's screen as a file: text for names that end in .txt, a picture for .png.
#pragma once

#include "emu/machine/screen.h"
#include "proto/base/result.h"

#include <string>

namespace sla::emu {

// Says whether the name's ending is one of the two, and whether it can be written there, before the run.
Result<void> check_screen_file(const std::string& path);
Result<void> write_screen(const machine::Screen& screen, const std::string& path);

}  // namespace sla::emu
