// What a program that we ran said last.
#pragma once

#include <fstream>
#include <string>

namespace sla::cli {

// The last line that is not empty of what it printed into a file; "": there is none.
inline std::string last_line(const std::string& path) {
    std::ifstream in(path);
    std::string last;
    for (std::string line; std::getline(in, line);) {
        if (!line.empty()) last = line;
    }
    return last;
}

}  // namespace sla::cli
