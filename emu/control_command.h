// `sla-emu control`: commands for a PC that runs.
#pragma once

#include <string>
#include <vector>

namespace sla::emu {

struct ControlOptions {
    std::vector<std::string> words;  // the PC's address, if it looks like one, then commands
    std::string script;              // file of commands, one a line
};

// Gives the program's exit code.
int control(const ControlOptions& options);
// What commands there are.
std::string control_help();

}  // namespace sla::emu
