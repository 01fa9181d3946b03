// The checks over a whole source tree. Each returns what it found as sentences "path:line: what is wrong"; empty means well.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace sla::layering {

struct SourceFile {
    std::string path;  // from the root, with '/'
    std::string text;
};

// A tree as the checks see it; tests build small ones by hand.
struct SourceTree {
    std::vector<std::string> top_level;    // names of the root's entries, without the ignored ones
    std::vector<std::string> directories;  // from the root
    std::vector<SourceFile> files;         // text files
};

// Reads everything below root except hidden directories and what .gitignore names ("/build/").
SourceTree read_tree(const std::filesystem::path& root);

using Findings = std::vector<std::string>;

Findings check_includes(const SourceTree& tree);        // arrows, libraries, paths from the root that exist
Findings check_links(const SourceTree& tree);           // the same arrows in each room's CMakeLists.txt
Findings check_circles(const SourceTree& tree);         // no circle between rooms
Findings check_top_level(const SourceTree& tree);       // the fixed entries only
Findings check_readmes(const SourceTree& tree);         // one in every floor and room
Findings check_readme_arrows(const SourceTree& tree);   // what they list as included and as users is so
Findings check_unit_names(const SourceTree& tree);      // a program of unit tests is named after its folder
Findings check_machine_paths(const SourceTree& tree);   // no path of the machine it was written on
Findings check_named_files(const SourceTree& tree);     // files that comments of C and C++ name are there
Findings check_results(const SourceTree& tree);         // of benchmarks: tables of six columns, hardly a word beside them
Findings check_lengths(const SourceTree& tree);         // files over 450 lines, functions over 60
Findings lengths_worth_a_look(const SourceTree& tree);  // files over 250 lines, functions over 40: a report, no failure

}  // namespace sla::layering
