// What shells and man(1) read of a program, made of its command line, so that both follow it by themselves. Every program has
// these, by a word that is in no help:
//
//   sla-agent --write-pages DIRECTORY      DIRECTORY/man/sla-agent.1 ..., DIRECTORY/completion.bash, DIRECTORY/completion.zsh
#pragma once

#include "proto/common/command_line.h"

#include <string>
#include <vector>

namespace sla::common {

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
