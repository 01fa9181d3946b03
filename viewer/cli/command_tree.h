// The commands and their options, as CLI11 knows them, for completion and manual pages: both follow the program by
// themselves.
#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace sla::cli {

struct OptionFacts {
    std::vector<std::string> names;  // "--format", "-o"; empty: positional
    std::string value;               // "FORMAT"; empty: a flag
    std::string description;
    bool required = false;
    std::vector<std::string> choices;  // of the value, when they are few and known
};

struct CommandFacts {
    std::string name;
    std::string description;
    std::string footer;
    std::vector<OptionFacts> options;
};

// In the order of `sla --help`; commands that people do not type are left out.
std::vector<CommandFacts> command_tree(const CLI::App& app);

std::string bash_completion(const std::vector<CommandFacts>& commands);
std::string zsh_completion(const std::vector<CommandFacts>& commands);
// roff of `sla` itself (nothing chosen) or of one command.
std::string manual_page(const std::vector<CommandFacts>& commands, const CommandFacts* one, const std::string& footer);

}  // namespace sla::cli
