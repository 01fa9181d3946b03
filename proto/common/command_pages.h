// --help, and what shells and man(1) read of a program, made of its command line, so that all follow it by themselves. Every
// program has the latter, by a word that is in no help:
//
//   sla-agent --write-pages DIRECTORY      DIRECTORY/man/sla-agent.1 ..., DIRECTORY/completion.bash, DIRECTORY/completion.zsh
#pragma once

#include "proto/common/command_line.h"

#include <string>
#include <vector>

namespace sla::common {

// `called` is how the command is typed, "sla trigger set"; no line of a description is longer than `width`, if words allow.
std::string help_text(const CommandFacts& command, const std::string& called, std::size_t width);

// What stands before an option's description: "-o, --output FILE"; of a positional one "FILE".
std::string written(const OptionFacts& option);
// Sentences of a footer in lines of that width at most. An example, and what begins with a blank, stays a line to be copied; of a
// table's line the second column goes on below itself.
std::string note_text(const std::string& footer, std::size_t width);

std::string bash_completion(const CommandFacts& program);
std::string zsh_completion(const CommandFacts& program);

struct ManualPage {
    std::string name;  // "sla-trigger-set"
    std::string text;  // roff
};
// Of the program itself, and of each of its commands. `version`: "sla-agent 1.0".
std::vector<ManualPage> manual_pages(const CommandFacts& program, const std::string& version);

// All of it; the exit code.
int write_pages(const CommandFacts& program, const std::string& version, const std::string& directory);

}  // namespace sla::common
