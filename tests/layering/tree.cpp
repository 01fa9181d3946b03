#include "tests/layering/checks.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <set>

namespace sla::layering {
namespace {

namespace fs = std::filesystem;

// Names that .gitignore keeps out of the root: its lines of the form "/name" or "/name/", and plain names.
std::set<std::string> ignored_names(const fs::path& root) {
    std::set<std::string> names;
    std::ifstream in(root / ".gitignore");
    for (std::string line; std::getline(in, line);) {
        if (line.starts_with('/')) line.erase(0, 1);
        if (line.ends_with('/')) line.pop_back();
        names.insert(line);
    }
    return names;
}

bool is_text(std::string_view bytes) {
    return bytes.find('\0') == std::string_view::npos;
}

void read_below(const fs::path& root, const fs::path& folder, SourceTree& tree) {
    for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
        const std::string name = entry.path().filename().string();
        if (name.starts_with('.') && entry.is_directory()) continue;
        const std::string path = fs::relative(entry.path(), root).generic_string();
        if (entry.is_directory()) {
            tree.directories.push_back(path);
            read_below(root, entry.path(), tree);
        } else if (entry.is_regular_file()) {
            std::ifstream in(entry.path(), std::ios::binary);
            std::string text{std::istreambuf_iterator<char>(in), {}};
            if (is_text(text)) tree.files.push_back({path, std::move(text)});
        }
    }
}

}  // namespace

SourceTree read_tree(const fs::path& root) {
    SourceTree tree;
    const std::set<std::string> ignored = ignored_names(root);
    for (const fs::directory_entry& entry : fs::directory_iterator(root)) {
        const std::string name = entry.path().filename().string();
        if (ignored.count(name) != 0 || name == ".git") continue;  // .git: a file in a second working tree
        tree.top_level.push_back(name);
        if (name.starts_with('.') && entry.is_directory()) continue;
        if (entry.is_directory()) {
            tree.directories.push_back(name);
            read_below(root, entry.path(), tree);
        } else {
            std::ifstream in(entry.path(), std::ios::binary);
            tree.files.push_back({name, std::string{std::istreambuf_iterator<char>(in), {}}});
        }
    }
    std::sort(tree.top_level.begin(), tree.top_level.end());
    std::sort(tree.directories.begin(), tree.directories.end());
    std::sort(tree.files.begin(), tree.files.end(), [](const auto& a, const auto& b) { return a.path < b.path; });
    return tree;
}

}  // namespace sla::layering
