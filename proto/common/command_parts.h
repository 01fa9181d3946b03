// What a command line is made of inside: CLI11's parts, and what we keep beside them. For the files that make up command_line.h,
// and no others.
#pragma once

#include "proto/common/command_line.h"

#include <CLI/CLI.hpp>

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sla::common {

struct Option::Record {
    explicit Record(CLI::Option* made) : option(made) {}

    CLI::Option* option;
    std::vector<std::string> choices;
    std::string limits;  // "1 to 1000"
    bool tells_default = false;
    std::string (*size_problem)(const std::string&) = nullptr;  // of a number; asked behind every other check
};

struct Command::Parts {
    CLI::App* app;
    std::unique_ptr<CLI::App> own;  // of the program itself; commands are owned by its tree
    const Command* above = nullptr;
    std::string title = "Commands";  // of the commands to come
    std::string version;             // as --version has it
    std::string footer;              // its own; the library hands a program's down to its commands
    std::deque<Option::Record> options;
    std::vector<std::unique_ptr<Command>> commands;
    std::unique_ptr<Action> action;

    // The exit code of wrong use when a value behind '=' is empty ("--for="), which is reported; the library would take the next
    // word.
    static std::optional<int> refuse_empty_value(const Command& program, const std::vector<std::string>& words);
    static const Command* command_called(const Command& above, const std::string& name);
    [[nodiscard]] OptionFacts facts_of(const CLI::Option& option) const;
    // Null: there is none for that command, or it takes no value.
    static const CLI::Option* option_with_value(const Command& command, const std::string& name);
};

// "-o", "--output"; of a positional word nothing.
std::vector<std::string> names_of(const CLI::Option& option);
// Works, but is in no help.
bool is_hidden(const CLI::App& app);

}  // namespace sla::common
