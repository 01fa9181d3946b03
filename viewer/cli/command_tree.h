// What completion scripts and manual pages are made of: the commands and their options, as the program itself knows them, so
// that both follow it by themselves.
#pragma once

#include "proto/common/command_line.h"

#include <string>
#include <vector>

namespace sla::cli {

using common::CommandFacts;
using common::OptionFacts;

std::string bash_completion(const std::vector<CommandFacts>& commands);
std::string zsh_completion(const std::vector<CommandFacts>& commands);
// "sla-trigger-set"
std::string page_name(const CommandFacts& command);
// roff of `sla` itself (nothing chosen) or of one command.
std::string manual_page(const std::vector<CommandFacts>& commands, const CommandFacts* one, const std::string& footer);

}  // namespace sla::cli
