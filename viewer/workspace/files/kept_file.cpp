#include "viewer/workspace/files/kept_file.h"

#include <filesystem>
#include <fstream>
#include <system_error>

namespace sla::workspace {

namespace fs = std::filesystem;

Result<void> write_kept_file(const std::string& path, std::string_view text, const std::string& doing) {
    std::error_code failed;
    // A link, as people have who keep their settings elsewhere, stays one.
    fs::path whole = fs::weakly_canonical(path, failed);
    if (failed) whole = path;
    fs::create_directories(whole.parent_path(), failed);
    const fs::path temporary = whole.string() + ".new";
    std::ofstream file(temporary, std::ios::binary);
    file << text;
    file.close();
    if (!file) {
        fs::remove(temporary, failed);
        return unavailable("cannot " + doing + " " + path + "; is the folder writable, and is there space?");
    }
    fs::rename(temporary, whole, failed);
    if (failed) return unavailable("cannot " + doing + " " + path + ": " + failed.message());
    return {};
}

std::string name_aside(const std::string& path) {
    return path + ".old";
}

void set_aside(const std::string& path) {
    std::error_code ignored;
    fs::rename(path, name_aside(path), ignored);
}

}  // namespace sla::workspace
