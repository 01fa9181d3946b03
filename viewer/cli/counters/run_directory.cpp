#include "viewer/cli/counters/run_directory.h"

#include "proto/base/whole_file.h"
#include "viewer/cli/text/last_line.h"

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>

namespace sla::cli {

Result<RunDirectory> RunDirectory::make() {
    std::error_code ignored;
    std::string path = (std::filesystem::temp_directory_path(ignored) / "sla-counters-XXXXXX").string();
    if (mkdtemp(path.data()) == nullptr) return system_error("cannot make a directory like '" + path + "'", errno);
    return RunDirectory(path);
}

RunDirectory::~RunDirectory() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
}

std::string RunDirectory::last_words() const {
    return last_line(printed());
}

std::string RunDirectory::read_counts() const {
    Result<std::string> text = read_whole_file(counts());
    return text.ok() ? std::move(*text) : std::string();  // a run that was not counted leaves none
}

bool RunDirectory::has_counts() const {
    std::error_code ignored;
    return std::filesystem::exists(counts(), ignored);
}

void RunDirectory::clear() const {
    std::error_code ignored;
    std::filesystem::remove(counts(), ignored);
    std::filesystem::remove(printed(), ignored);
    std::filesystem::remove(capture(), ignored);
}

}  // namespace sla::cli
