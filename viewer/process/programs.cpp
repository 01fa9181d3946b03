#include "viewer/process/programs.h"

#include "proto/base/program_path.h"

#include <unistd.h>

#include <filesystem>

namespace sla::process {

namespace fs = std::filesystem;

std::string sister_program(const std::string& name) {
    std::error_code error;
    const fs::path self = fs::read_symlink("/proc/self/exe", error);
    if (error) return name;
    const fs::path beside = self.parent_path() / name;
    return access(beside.c_str(), X_OK) == 0 ? beside.string() : name;
}

bool program_exists(const std::string& name) {
    const bool is_path = name.find('/') != std::string::npos;
    return (!is_path && sister_program(name) != name) || is_program(name);
}

std::string shell_quoted(const std::string& text) {
    std::string word = "'";
    for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return word + "'";
}

}  // namespace sla::process
