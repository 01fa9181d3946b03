#include "proto/common/command_pages.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace sla::common {

namespace {

constexpr int kOutsideFailed = 3;

bool write_file(const std::string& path, const std::string& text) {
    std::ofstream out(path, std::ios::binary);
    out << text;
    out.close();
    if (!out) std::fprintf(stderr, "cannot write '%s': %s\n", path.c_str(), std::strerror(errno));
    return !out.fail();
}

}  // namespace

int write_pages(const CommandFacts& program, const std::string& version, const std::string& directory) {
    std::error_code error;
    std::filesystem::create_directories(directory + "/man", error);
    bool is_written = write_file(directory + "/completion.bash", bash_completion(program)) &&
                      write_file(directory + "/completion.zsh", zsh_completion(program));
    for (const ManualPage& page : manual_pages(program, version))
        is_written = is_written && write_file(directory + "/man/" + page.name + ".1", page.text);
    return is_written ? 0 : kOutsideFailed;
}

}  // namespace sla::common
