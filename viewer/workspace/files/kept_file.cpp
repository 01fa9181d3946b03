#include "viewer/workspace/files/kept_file.h"

#include "proto/base/new_file.h"

#include <filesystem>
#include <system_error>

namespace sla::workspace {

namespace fs = std::filesystem;

Result<void> write_kept_file(const std::string& path, std::string_view text, const std::string& doing) {
    std::error_code ignored;
    fs::create_directories(fs::path(path).parent_path(), ignored);
    return replace_file(path, text, doing);
}

std::string name_aside(const std::string& path) {
    return path + ".old";
}

void set_aside(const std::string& path) {
    std::error_code ignored;
    fs::rename(path, name_aside(path), ignored);
}

}  // namespace sla::workspace
