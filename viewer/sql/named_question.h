// NAME=QUESTION, as questions are named on a command line.
#pragma once

#include "proto/base/result.h"

#include <string>

namespace sla::sql {

struct NamedQuestion {
    std::string name;
    std::string question;
};

// `option` and `example` are for whoever typed it wrong.
inline Result<NamedQuestion> parse_named_question(const std::string& word, const std::string& option,
                                                  const std::string& example) {
    const std::size_t end = word.find('=');
    if (end == std::string::npos || end == 0 || end + 1 == word.size())
        return invalid_input(option + " wants NAME=QUESTION, as in '" + example + "', not \"" + word + "\"");
    return NamedQuestion{word.substr(0, end), word.substr(end + 1)};
}

}  // namespace sla::sql
