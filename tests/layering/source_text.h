// C and C++ text seen without what the compiler would not act on.
//
// Lines stay where they are (newlines are kept), so that a position in the blanked text is a position in the file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sla::layering {

// Comments, the inside of string and character literals, and preprocessor lines become spaces.
std::string blank_non_code(std::string_view text);

struct Include {
    std::string path;
    int line = 0;
    bool quoted = false;  // "path" rather than <path>
};

// Every #include of the text, also those under #if.
std::vector<Include> includes_of(std::string_view text);

int line_count(std::string_view text);

}  // namespace sla::layering
