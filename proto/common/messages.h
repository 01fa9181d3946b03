// What people read when a command line was wrong.
#pragma once

#include <string>
#include <vector>

namespace sla::common {

struct UnknownWord {
    std::string word;
    std::string command;                // that got it, as in "sla table"
    std::vector<std::string> commands;  // it has, that people type
    std::vector<std::string> options;   // it takes
    bool takes_any_words;               // behind --
};

std::string about(const UnknownWord& unknown);
std::string about_missing_command(const std::string& command, const std::vector<std::string>& commands);
// The parsing library's words, or better ones where there are.
std::string readable(const std::string& message);

}  // namespace sla::common
