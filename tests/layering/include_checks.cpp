#include "tests/layering/checks.h"
#include "tests/layering/rules.h"
#include "tests/layering/source_text.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <regex>
#include <set>

namespace sla::layering {
namespace {

// Our own code; the outside project of the package test is somebody else's.
bool is_code(std::string_view path) {
    if (path.find("/outside/") != std::string_view::npos) return false;
    for (const std::string_view ending : {".h", ".c", ".cpp"}) {
        if (path.ends_with(ending)) return true;
    }
    return false;
}

std::string place(const SourceFile& file, int line) {
    return file.path + ":" + std::to_string(line) + ": ";
}

// A header that the build makes from a .proto or .in file counts as there when its source is.
bool exists(const std::set<std::string_view>& paths, const std::string& path) {
    if (paths.count(path) != 0 || paths.count(path + ".in") != 0) return true;
    constexpr std::string_view kGenerated = ".pb.h";
    if (!path.ends_with(kGenerated)) return false;
    return paths.count(path.substr(0, path.size() - kGenerated.size()) + ".proto") != 0;
}

// What is wrong with one include, if anything.
std::optional<std::string> objection(const SourceFile& file, const Include& include,
                                     const std::set<std::string_view>& paths) {
    if (!include.quoted) return library_objection(file.path, include.path);
    if (!exists(paths, include.path)) {
        return "\"" + include.path + "\" does not exist; includes start at the root, libraries stand in <>";
    }
    const std::optional<std::string> from = room_of(file.path);
    const std::optional<std::string> to = room_of(include.path);
    if (from && to && !may_include(*from, *to)) {
        return *from + " may not include " + *to + " (\"" + include.path + "\")";
    }
    if (include.path == "proto/common/command_parts.h" && !file.path.starts_with("proto/common/command_"))
        return "CLI11 takes ten seconds to compile, and command_parts.h includes it: include command_line.h";
    if (from && include.path.starts_with("tests/")) return "the product may not include its tests";
    const bool is_in_c = include.path == "proto/base/runtime_dir.h" || include.path == "proto/base/environment.h";
    if (from == "agent/marker" && to == "proto/base" && !is_in_c) {
        return "agent/marker takes only the C headers runtime_dir.h and environment.h from proto/base";
    }
    return std::nullopt;
}

// "a -> b -> a" for the first circle found below `room`, else empty.
std::string circle_from(const std::string& room, const std::map<std::string, std::set<std::string>>& graph,
                        std::vector<std::string>& way, std::set<std::string>& done) {
    const auto again = std::find(way.begin(), way.end(), room);
    if (again != way.end()) {
        std::string circle;
        for (auto step = again; step != way.end(); ++step) circle += *step + " -> ";
        return circle + room;
    }
    if (!done.insert(room).second) return {};
    way.push_back(room);
    const auto next = graph.find(room);
    if (next != graph.end()) {
        for (const std::string& target : next->second) {
            std::string circle = circle_from(target, graph, way, done);
            if (!circle.empty()) return circle;
        }
    }
    way.pop_back();
    return {};
}

}  // namespace

Findings check_includes(const SourceTree& tree) {
    std::set<std::string_view> paths;
    for (const SourceFile& file : tree.files) paths.insert(file.path);
    Findings findings;
    for (const SourceFile& file : tree.files) {
        if (!is_code(file.path)) continue;
        for (const Include& include : includes_of(file.text)) {
            if (const auto wrong = objection(file, include, paths)) findings.push_back(place(file, include.line) + *wrong);
        }
    }
    return findings;
}

Findings check_links(const SourceTree& tree) {
    static const std::regex kWord("sla_[a-z_]+");
    Findings findings;
    for (const SourceFile& file : tree.files) {
        const std::optional<std::string> from = room_of(file.path);
        if (!from || !file.path.ends_with("/CMakeLists.txt")) continue;
        for (std::sregex_iterator word(file.text.begin(), file.text.end(), kWord), end; word != end; ++word) {
            const std::optional<std::string> to = room_of_target(word->str());
            if (!to || may_include(*from, *to)) continue;
            const int line =
                line_count(std::string_view(file.text).substr(0, static_cast<std::size_t>(word->position()) + 1));
            findings.push_back(place(file, line) + *from + " may not link " + word->str());
        }
    }
    return findings;
}

Findings check_circles(const SourceTree& tree) {
    std::map<std::string, std::set<std::string>> graph;
    for (const SourceFile& file : tree.files) {
        const std::optional<std::string> from = room_of(file.path);
        if (!from || !is_code(file.path)) continue;
        for (const Include& include : includes_of(file.text)) {
            const std::optional<std::string> to = include.quoted ? room_of(include.path) : std::nullopt;
            if (to && to != from) graph[*from].insert(*to);
        }
    }
    Findings findings;
    std::set<std::string> done;
    for (const auto& [room, targets] : graph) {
        std::vector<std::string> way;
        const std::string circle = circle_from(room, graph, way, done);
        if (!circle.empty()) findings.push_back("rooms include each other in a circle: " + circle);
    }
    return findings;
}

}  // namespace sla::layering
