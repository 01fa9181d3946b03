// What stands in a folder, for people who choose a file there; and paths that stay true wherever they are kept.
#pragma once

#include "proto/base/result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sla::workspace {

struct FolderEntry {
    std::string name;
    bool is_folder = false;
    std::uint64_t bytes = 0;  // of a file
};

// The same file or folder by an absolute path: that of its folder without links, so that no ".." stands behind one, and without a
// slash at its end.
std::string whole_path(const std::string& path);
// The folder that a typed path lies in, as such a path: "run.csv" lies in the folder where we are.
std::string folder_of(const std::string& path);
// "run.csv" of "/tmp/run.csv".
std::string file_of(const std::string& path);
std::string joined(const std::string& folder, const std::string& file);

// Folders first, then captures, then other files, each in the order people count; without hidden ones; the first
// kMaxEntries of them.
inline constexpr std::size_t kMaxEntries = 2000;
Result<std::vector<FolderEntry>> list_folder(const std::string& folder);

}  // namespace sla::workspace
