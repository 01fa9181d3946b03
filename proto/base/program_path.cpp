#include "proto/base/program_path.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>

namespace sla {

bool is_program(const std::string& name) {
    constexpr const char* kUsualPath = "/bin:/usr/bin";  // the C library's, where none is set
    if (name.find('/') != std::string::npos) return ::access(name.c_str(), X_OK) == 0;
    const char* const path = std::getenv("PATH");
    std::istringstream folders(path == nullptr ? kUsualPath : path);
    for (std::string folder; std::getline(folders, folder, ':');) {
        if (::access((std::filesystem::path(folder) / name).c_str(), X_OK) == 0) return true;
    }
    return false;
}

}  // namespace sla
