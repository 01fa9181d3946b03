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
    std::string name;  // "trigger"; of a part of it "trigger set"
    std::string description;
    std::string footer;
    std::vector<OptionFacts> options;
    std::vector<CommandFacts> parts;  // commands of its own, as `sla trigger set`

    // The last word of the name.
    [[nodiscard]] std::string word() const { return name.substr(name.rfind(' ') + 1); }
};

// In the order of `sla --help`; commands that people do not type are left out.
std::vector<CommandFacts> command_tree(const CLI::App& app);

std::string bash_completion(const std::vector<CommandFacts>& commands);
std::string zsh_completion(const std::vector<CommandFacts>& commands);
// "sla-trigger-set"
std::string page_name(const CommandFacts& command);
// roff of `sla` itself (nothing chosen) or of one command.
std::string manual_page(const std::vector<CommandFacts>& commands, const CommandFacts* one, const std::string& footer);

}  // namespace sla::cli
