// What the READMEs of rooms say of who includes whom, held against the includes.
#include "tests/layering/checks.h"
#include "tests/layering/source_text.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string_view>

namespace sla::layering {
namespace {

using Names = std::vector<std::string>;

struct Sentence {
    int line = 0;
    std::string text;
};

std::string folder_of(const std::string& path) {
    return path.substr(0, std::min(path.rfind('/'), path.size()));
}

// The nearest folder with a README; the floors and tests are nobody's.
std::string home_of(const std::string& path, const std::set<std::string>& homes) {
    for (std::size_t end = path.rfind('/'); end != std::string::npos && end > 0; end = path.rfind('/', end - 1)) {
        if (homes.contains(path.substr(0, end))) return path.substr(0, end);
    }
    return {};
}

bool is_within(std::string_view path, std::string_view folder) {
    return path.starts_with(folder) && (path.size() == folder.size() || path[folder.size()] == '/');
}

bool is_among(const std::string& room, const Names& names) {
    return std::any_of(names.begin(), names.end(), [&](const std::string& name) { return is_within(room, name); });
}

// From the first of these words to the end of their sentence.
std::optional<Sentence> sentence_of(const std::string& text, std::initializer_list<std::string_view> words) {
    std::size_t begin = std::string::npos;
    for (const std::string_view word : words) begin = std::min(begin, text.find(word));
    if (begin == std::string::npos) return std::nullopt;
    std::size_t end = begin;
    while (end < text.size() && text[end] != ';' && (text[end] != '.' || text.find_first_of(" \n", end) != end + 1)) ++end;
    return Sentence{line_count(std::string_view(text).substr(0, begin + 1)), text.substr(begin, end - begin)};
}

// What stands between backquotes, as paths: `store` of the viewer is viewer/store, `viewer/{store,ingest}` are two.
Names rooms_in(std::string_view text, const std::string& floor) {
    Names names;
    const auto add = [&](std::string name) {
        if (name.ends_with("/*")) name.resize(name.size() - 2);
        const bool is_whole = name.find('/') != std::string::npos || name == "proto";
        names.push_back(is_whole ? std::move(name) : floor + "/" + name);
    };
    for (std::size_t at = text.find('`'); at != std::string_view::npos; at = text.find('`', at + 1)) {
        const std::size_t end = std::min(text.find('`', at + 1), text.size());
        const std::string word(text.substr(at + 1, end - at - 1));
        at = end;
        const std::size_t brace = word.find('{');
        if (brace == std::string::npos) {
            add(word);
            continue;
        }
        for (std::size_t from = brace + 1; from < word.size();) {
            const std::size_t to = std::min(word.find_first_of(",}", from), word.size());
            add(word.substr(0, brace) + word.substr(from, to - from));
            from = to + 1;
        }
    }
    return names;
}

// Lists that end in words are not held against anything.
bool is_list(std::string_view sentence) {
    constexpr std::array<std::string_view, 5> kOthers{"below", "that includes", "left of", "every room", "all rooms"};
    return std::none_of(kOthers.begin(), kOthers.end(),
                        [&](std::string_view word) { return sentence.find(word) != std::string_view::npos; });
}

using Includers = std::map<std::string, std::set<std::string>>;  // by who includes: whom

Includers includes_between(const SourceTree& tree, const std::set<std::string>& homes) {
    Includers out;
    for (const SourceFile& file : tree.files) {
        const std::string from = home_of(file.path, homes);
        if (from.empty() || file.path.ends_with(".md")) continue;
        for (const Include& include : includes_of(file.text)) {
            const std::string to = include.quoted ? home_of(include.path, homes) : std::string();
            if (!to.empty() && to != from) out[from].insert(to);
        }
    }
    return out;
}

std::string floor_of(const std::string& room) {
    return room.substr(0, room.find('/'));
}

void check_included(const SourceFile& readme, const std::string& room, const Includers& includers, Findings& findings) {
    const auto sentence = sentence_of(readme.text, {"Includes ", "May include", "may include"});
    const auto own = includers.find(room);
    if (!sentence || !is_list(sentence->text) || own == includers.end()) return;
    const Names named = rooms_in(sentence->text, floor_of(room));
    for (const std::string& other : own->second) {
        if (is_within(other, room) || is_among(other, named)) continue;
        findings.push_back(readme.path + ":" + std::to_string(sentence->line) + ": leaves out that it includes " + other);
    }
}

void check_users(const SourceFile& readme, const std::string& room, const Includers& includers, Findings& findings) {
    const auto sentence = sentence_of(readme.text, {"Used by "});
    if (!sentence) return;
    Names users;
    for (const auto& [from, to] : includers) {
        const bool is_user = std::any_of(to.begin(), to.end(), [&](const std::string& one) { return is_within(one, room); });
        if (is_user && !is_within(from, room)) users.push_back(from);
    }
    const std::string place = readme.path + ":" + std::to_string(sentence->line) + ": ";
    const Names named = rooms_in(sentence->text, floor_of(room));
    for (const std::string& user : users) {
        if (!is_among(user, named)) findings.push_back(place + "leaves out that " + user + " includes it");
    }
    for (const std::string& name : named) {
        const bool is_true =
            std::any_of(users.begin(), users.end(), [&](const std::string& user) { return is_within(user, name); });
        if (!is_true) findings.push_back(place + name + " does not include it");
    }
}

}  // namespace

Findings check_readme_arrows(const SourceTree& tree) {
    std::set<std::string> homes;
    for (const SourceFile& file : tree.files) {
        const std::string folder = folder_of(file.path);
        const bool is_room = folder.find('/') != std::string::npos && !folder.starts_with("tests/");
        if (is_room && file.path == folder + "/README.md") homes.insert(folder);
    }
    const Includers includers = includes_between(tree, homes);
    Findings findings;
    for (const SourceFile& file : tree.files) {
        const std::string room = folder_of(file.path);
        if (file.path != room + "/README.md" || !homes.contains(room)) continue;
        check_included(file, room, includers, findings);
        check_users(file, room, includers, findings);
    }
    return findings;
}

}  // namespace sla::layering
