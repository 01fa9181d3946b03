#include "viewer/workspace/files/folder_list.h"

#include "viewer/timeline/lanes/natural_order.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace sla::workspace {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMaxLookedAt = 50'000;  // names; a tenth of a second

int rank_of(const FolderEntry& entry) {
    if (entry.is_folder) return 0;
    return entry.name.ends_with(".sla") ? 1 : 2;
}

// As it is where that cannot be known.
fs::path without_links(const fs::path& folder) {
    std::error_code failed;
    const fs::path whole = fs::absolute(folder.empty() ? "." : folder, failed);
    if (failed) return folder;
    const fs::path real = fs::weakly_canonical(whole, failed);
    return failed ? whole : real;
}

}  // namespace

std::string whole_path(const std::string& path) {
    const std::size_t last = path.find_last_not_of('/');
    const fs::path given = last == std::string::npos ? path : path.substr(0, last + 1);
    const fs::path name = given.filename();
    if (name.empty() || name == "." || name == "..") return without_links(given).string();
    return (without_links(given.parent_path()) / name).string();
}

std::string folder_of(const std::string& path) {
    return without_links(fs::path(path).parent_path()).string();
}

std::string file_of(const std::string& path) {
    return fs::path(path).filename().string();
}

std::string joined(const std::string& folder, const std::string& file) {
    return (fs::path(folder) / file).string();
}

Result<std::vector<FolderEntry>> list_folder(const std::string& folder) {
    std::error_code failed;
    std::vector<FolderEntry> entries;
    fs::directory_iterator at(folder, failed);
    if (failed) return Error{ErrorCode::kNotFound, "the folder " + folder + " cannot be read: " + failed.message()};
    for (; at != fs::directory_iterator() && entries.size() < kMaxLookedAt; at.increment(failed)) {
        if (failed) break;
        FolderEntry entry{at->path().filename().string()};
        if (entry.name.starts_with('.')) continue;
        std::error_code unknown;  // of one that is gone again
        entry.is_folder = at->is_directory(unknown);
        if (!unknown) entries.push_back(std::move(entry));
    }
    std::sort(entries.begin(), entries.end(), [](const FolderEntry& a, const FolderEntry& b) {
        return rank_of(a) != rank_of(b) ? rank_of(a) < rank_of(b) : timeline::natural_less(a.name, b.name);
    });
    // A folder gives its names in no order: which are the first is known now.
    if (entries.size() > kMaxEntries) entries.resize(kMaxEntries);
    for (FolderEntry& entry : entries) {
        std::error_code unknown;
        const fs::path path = fs::path(folder) / entry.name;
        const bool is_file = !entry.is_folder && fs::is_regular_file(path, unknown);
        const std::uintmax_t bytes = is_file ? fs::file_size(path, unknown) : 0;
        if (!unknown) entry.bytes = bytes;
    }
    return entries;
}

}  // namespace sla::workspace
