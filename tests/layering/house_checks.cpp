#include "tests/layering/checks.h"
#include "tests/layering/functions.h"
#include "tests/layering/source_text.h"

#include <algorithm>
#include <array>
#include <regex>
#include <set>
#include <sstream>

namespace sla::layering {
namespace {

constexpr int kLongFile = 450;
constexpr int kLookAtFile = 250;
constexpr int kLongFunction = 60;
constexpr int kLookAtFunction = 40;

bool has_lengths(std::string_view path) {
    for (const std::string_view ending : {".h", ".c", ".cpp", ".sh", ".proto", ".asm", ".cmake"}) {
        if (path.ends_with(ending)) return true;
    }
    return false;
}

bool has_functions(std::string_view path) {
    return path.ends_with(".h") || path.ends_with(".c") || path.ends_with(".cpp");
}

// "store/lane.h" in words; not what begins outside of the house: <sys/types.h>, /usr/include/x.h, Other.h.
std::vector<std::string_view> sources_named_in(std::string_view words) {
    const auto is_of_name = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '/'; };
    const auto is_of_word = [&](char c) { return is_of_name(c) || (c >= 'A' && c <= 'Z'); };
    std::vector<std::string_view> names;
    for (std::size_t dot = words.find('.'); dot != words.npos; dot = words.find('.', dot + 1)) {
        std::size_t end = dot + 1;
        while (end < words.size() && is_of_word(words[end])) ++end;
        const std::string_view ending = words.substr(dot, end - dot);
        if (ending != ".h" && ending != ".cpp") continue;
        std::size_t begin = dot;
        while (begin > 0 && is_of_name(words[begin - 1])) --begin;
        const bool is_outside =
            begin > 0 && (is_of_word(words[begin - 1]) || words[begin - 1] == '<' || words[begin - 1] == '.');
        if (begin < dot && words[begin] != '/' && !is_outside) names.push_back(words.substr(begin, end - begin));
    }
    return names;
}

// Files over file_limit and functions over function_limit lines.
Findings over(const SourceTree& tree, int file_limit, int function_limit) {
    Findings findings;
    for (const SourceFile& file : tree.files) {
        if (!has_lengths(file.path)) continue;
        const int lines = line_count(file.text);
        if (lines > file_limit) findings.push_back(file.path + ":1: the file has " + std::to_string(lines) + " lines");
        if (!has_functions(file.path)) continue;
        for (const FunctionLength& function : functions_of(file.text)) {
            if (function.lines <= function_limit) continue;
            findings.push_back(file.path + ":" + std::to_string(function.line) + ": " + function.name + " has " +
                               std::to_string(function.lines) + " lines");
        }
    }
    return findings;
}

}  // namespace

Findings check_top_level(const SourceTree& tree) {
    static const std::set<std::string> kFixed = {
        "agent", "viewer", "proto", "emu", "tests", "CMakeLists.txt", "README.md", "CMakePresets.json", "LICENSE"};
    Findings findings;
    for (const std::string& name : tree.top_level) {
        if (name.starts_with('.') || kFixed.count(name) != 0) continue;
        findings.push_back(name + ": not one of the fixed top-level entries");
    }
    return findings;
}

Findings check_readmes(const SourceTree& tree) {
    std::set<std::string> homes = {"proto", "agent", "viewer", "emu", "tests"};
    std::set<std::string_view> paths;
    for (const SourceFile& file : tree.files) {
        paths.insert(file.path);
        const std::string folder = file.path.substr(0, std::max<std::size_t>(file.path.rfind('/'), 1));
        const bool room = std::count(folder.begin(), folder.end(), '/') == 1;
        if (room && file.path == folder + "/CMakeLists.txt") homes.insert(folder);
    }
    Findings findings;
    for (const std::string& home : homes) {
        if (paths.count(home + "/README.md") == 0) findings.push_back(home + ": has no README.md");
    }
    return findings;
}

// sanitized.sh finds the tests of a folder by this name alone.
Findings check_unit_names(const SourceTree& tree) {
    static const std::regex kTest(R"(sla_test\(\s*([A-Za-z0-9_]+))");
    constexpr std::string_view kRoot = "tests/unit/";
    constexpr std::string_view kList = "/CMakeLists.txt";
    Findings findings;
    for (const SourceFile& file : tree.files) {
        if (!file.path.starts_with(kRoot) || !file.path.ends_with(kList)) continue;
        if (file.path.size() <= kRoot.size() + kList.size()) continue;
        std::string name = "unit_" + file.path.substr(kRoot.size(), file.path.size() - kRoot.size() - kList.size());
        std::replace(name.begin(), name.end(), '/', '_');
        for (std::sregex_iterator at(file.text.begin(), file.text.end(), kTest), end; at != end; ++at) {
            if (at->str(1) != name) findings.push_back(file.path + ":1: " + at->str(1) + " has to be named " + name);
        }
    }
    return findings;
}

// What | target | value | machine | date | command. How figures came to be is git's to keep.
Findings check_results(const SourceTree& tree) {
    constexpr std::string_view kResults = "tests/bench/RESULTS.md";
    constexpr std::ptrdiff_t kBars = 7;
    constexpr int kMaxWords = 24;  // lines that are no table's: an introduction and headings
    Findings findings;
    for (const SourceFile& file : tree.files) {
        if (file.path != kResults) continue;
        int number = 0;
        int words = 0;
        std::istringstream lines(file.text);
        for (std::string line; std::getline(lines, line);) {
            ++number;
            const bool is_row = line.starts_with('|');
            if (!is_row && !line.empty() && !line.starts_with('#')) ++words;
            if (is_row && std::count(line.begin(), line.end(), '|') != kBars)
                findings.push_back(file.path + ":" + std::to_string(number) + ": no row of six cells");
        }
        if (words > kMaxWords) findings.push_back(file.path + ":1: " + std::to_string(words) + " lines beside its tables");
    }
    return findings;
}

Findings check_machine_paths(const SourceTree& tree) {
    static const std::regex kMachinePath("(^|[^A-Za-z0-9_.})>*-])/(work|home|root)/[A-Za-z0-9_]");
    Findings findings;
    for (const SourceFile& file : tree.files) {
        int line_number = 0;
        for (std::size_t at = 0; at < file.text.size();) {
            ++line_number;
            const std::size_t end = std::min(file.text.find('\n', at), file.text.size());
            if (std::regex_search(file.text.begin() + static_cast<std::ptrdiff_t>(at),
                                  file.text.begin() + static_cast<std::ptrdiff_t>(end), kMachinePath)) {
                findings.push_back(file.path + ":" + std::to_string(line_number) + ": names a path of one machine");
            }
            at = end + 1;
        }
    }
    return findings;
}

Findings check_named_files(const SourceTree& tree) {
    std::set<std::string_view> known;  // by as much of the path as somebody likes to write
    for (const SourceFile& file : tree.files) {
        const std::string_view path = file.path;
        known.insert(path);
        for (std::size_t at = path.find('/'); at != path.npos; at = path.find('/', at + 1))
            known.insert(path.substr(at + 1));
    }
    Findings findings;
    for (const SourceFile& file : tree.files) {
        if (!has_functions(file.path)) continue;
        int number = 0;
        std::istringstream lines(file.text);
        for (std::string line; std::getline(lines, line);) {
            ++number;
            const std::size_t comment = line.find("//");
            if (comment == line.npos) continue;
            for (const std::string_view name : sources_named_in(std::string_view(line).substr(comment))) {
                if (known.count(name) == 0)
                    findings.push_back(file.path + ":" + std::to_string(number) + ": names " + std::string(name) +
                                       ", which is not there");
            }
        }
    }
    return findings;
}

Findings check_lengths(const SourceTree& tree) {
    return over(tree, kLongFile, kLongFunction);
}

Findings lengths_worth_a_look(const SourceTree& tree) {
    return over(tree, kLookAtFile, kLookAtFunction);
}

}  // namespace sla::layering
