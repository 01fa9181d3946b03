#include "viewer/cli/counters/run_directory.h"

#include "proto/base/whole_file.h"
#include "viewer/cli/text/last_line.h"

#include <filesystem>
#include <system_error>

namespace sla::cli {

Result<RunDirectory> RunDirectory::make() {
    std::error_code ignored;
    auto made = process::OwnDirectory::make(std::filesystem::temp_directory_path(ignored).string(), "counters");
    if (!made.ok()) return made.error();
    return RunDirectory(std::move(*made));
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
