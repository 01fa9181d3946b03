#include "viewer/process/programs.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>

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
    if (name.find('/') != std::string::npos) return access(name.c_str(), X_OK) == 0;
    if (sister_program(name) != name) return true;
    const char* path = std::getenv("PATH");
    std::istringstream folders(path == nullptr ? "" : path);
    for (std::string folder; std::getline(folders, folder, ':');) {
        if (access((fs::path(folder) / name).c_str(), X_OK) == 0) return true;
    }
    return false;
}

std::string shell_quoted(const std::string& text) {
    std::string word = "'";
    for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return word + "'";
}

}  // namespace sla::process
