#include "viewer/export/output_directory.h"

#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <utility>

namespace sla::exporting {

namespace fs = std::filesystem;

Result<OutputDirectory> OutputDirectory::create(const std::string& path) {
    if (path.empty() || path == "-")
        return invalid_input("this format is a directory of files and cannot go to standard output; name it with -o");
    std::error_code error;
    const bool there = fs::exists(path, error);
    if (there && !(fs::is_directory(path, error) && fs::is_empty(path, error)))
        return invalid_input("'" + path + "' is there already; remove it, or name another directory");
    std::string target = path;
    while (target.size() > 1 && target.back() == '/') target.pop_back();
    const std::string temporary = target + ".part-" + std::to_string(getpid());
    if (!fs::create_directory(temporary, error))
        return unavailable("cannot make the directory '" + path +
                           "': " + (error ? error.message() : "its temporary name '" + temporary + "' is taken"));
    return OutputDirectory(target, temporary);
}

OutputDirectory::OutputDirectory(OutputDirectory&& other) noexcept
    : path_(std::move(other.path_)), temporary_(std::exchange(other.temporary_, {})) {}

OutputDirectory::~OutputDirectory() {
    std::error_code error;
    if (!temporary_.empty()) fs::remove_all(temporary_, error);
}

Result<void> OutputDirectory::finish() {
    if (std::rename(temporary_.c_str(), path_.c_str()) != 0)
        return system_error("cannot put '" + path_ + "' in place", errno);
    temporary_.clear();
    return {};
}

}  // namespace sla::exporting
