#include "viewer/ui/commands/keymap.h"

#include "proto/base/whole_file.h"
#include "viewer/workspace/files/kept_file.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <utility>

namespace sla::ui {

namespace {

constexpr int kVersion = 1;

// As people know them from their keyboards.
std::string shown(const Chord& chord) {
    static const std::map<std::string, const char*> kArrows = {{"Up", "\xE2\x86\x91"},   {"Down", "\xE2\x86\x93"},
                                                               {"Left", "\xE2\x86\x90"}, {"Right", "\xE2\x86\x92"},
                                                               {"Escape", "Esc"},        {"Delete", "Del"}};
    const auto arrow = kArrows.find(chord.key);
    return chord_text({chord.ctrl, chord.shift, arrow == kArrows.end() ? chord.key : arrow->second});
}

}  // namespace

Keymap::Keymap() {
    for (const Action& action : actions()) {
        std::istringstream words(action.keys);
        for (std::string word; words >> word;) {
            const Result<Chord> chord = parse_chord(word);
            SLA_CHECK(chord.ok());
            SLA_CHECK(action_for(*chord) == nullptr);
            keys_.emplace_back(*chord, &action);
        }
    }
}

void Keymap::give(const Chord& chord, const Action& action) {
    std::erase_if(keys_, [&](const auto& entry) { return entry.first == chord; });
    keys_.emplace_back(chord, &action);
}

Result<void> Keymap::apply(std::string_view json) {
    const nlohmann::json file = nlohmann::json::parse(json, nullptr, false);
    if (!file.is_object()) return damaged("it is not readable JSON");
    const auto keys = file.find("keys");
    if (keys == file.end() || !keys->is_object()) return damaged("it has no \"keys\": { \"action\": [\"key\"] }");
    std::string wrong;
    std::map<Chord, std::string> given;
    for (const auto& [id, list] : keys->items()) {
        const Result<void> applied = apply_entry(id, list);
        if (!applied && wrong.empty()) wrong = applied.error().message;
        if (!applied) continue;
        for (const Chord& chord : chords_of(*action_named(id))) {
            const std::string other = std::exchange(given[chord], id);
            if (!other.empty() && wrong.empty())
                wrong = chord_text(chord) + " is given to \"" + other + "\" and to \"" + id + "\", which has it now";
        }
    }
    return wrong.empty() ? Result<void>() : invalid_input(wrong);
}

Result<void> Keymap::apply_entry(const std::string& id, const nlohmann::json& list) {
    const Action* action = action_named(id);
    if (action == nullptr) return invalid_input("there is no action \"" + id + "\"; the command palette names them all");
    if (!list.is_array()) return invalid_input("the keys of \"" + id + "\" stand in [ ]");
    std::vector<Chord> chords;
    for (const auto& word : list) {
        const Result<Chord> chord =
            word.is_string() ? parse_chord(word.get<std::string>()) : Result<Chord>(invalid_input("a key is a text"));
        if (!chord) return invalid_input("\"" + id + "\": " + chord.error().message);
        chords.push_back(*chord);
    }
    std::erase_if(keys_, [&](const auto& entry) { return entry.second == action; });
    for (const Chord& chord : chords) give(chord, *action);
    return {};
}

Result<void> Keymap::load(const std::string& path) {
    const Result<std::optional<std::string>> text = read_file_if_there(path);
    if (!text) return text.error();
    if (!*text) return {};
    const Result<void> applied = apply(**text);
    if (applied) return {};
    return damaged("the keys in " + path + ": " + applied.error().message + ". What is right in it counts");
}

std::string Keymap::text() const {
    nlohmann::ordered_json keys = nlohmann::ordered_json::object();
    for (const Action& action : actions()) {
        nlohmann::ordered_json list = nlohmann::ordered_json::array();
        for (const Chord& chord : chords_of(action)) list.push_back(chord_text(chord));
        keys[action.id] = list;
    }
    return nlohmann::ordered_json{{"version", kVersion}, {"keys", keys}}.dump(2) + "\n";
}

Result<void> Keymap::save(const std::string& path) const {
    std::error_code ignored;
    const auto over = std::filesystem::copy_options::overwrite_existing;
    std::filesystem::copy_file(path, workspace::name_aside(path), over, ignored);  // what stood in it stays
    return workspace::write_kept_file(path, text(), "write the keys to");
}

const Action* Keymap::action_for(const Chord& chord) const {
    for (const auto& [key, action] : keys_) {
        if (key == chord) return action;
    }
    return nullptr;
}

std::vector<Chord> Keymap::chords_of(const Action& action) const {
    std::vector<Chord> chords;
    for (const auto& [chord, owner] : keys_) {
        if (owner == &action) chords.push_back(chord);
    }
    return chords;
}

std::string Keymap::keys_of(const Action& action) const {
    std::string out;
    for (const Chord& chord : chords_of(action)) {
        if (!out.empty()) out += "   ";
        out += shown(chord);
    }
    return out;
}

std::string Keymap::with_keys(std::string_view words) const {
    constexpr std::string_view kBehind = "  (";
    std::string out;
    for (std::size_t begin = words.find('{'); begin != words.npos; begin = words.find('{')) {
        const std::size_t end = words.find('}', begin);
        if (end == words.npos) break;
        const std::string_view id = words.substr(begin + 1, end - begin - 1);
        const Action* const action = action_named(id);
        const std::vector<Chord> chords = action == nullptr ? std::vector<Chord>() : chords_of(*action);
        out += words.substr(0, begin);
        words.remove_prefix(end + 1);
        if (!chords.empty()) {
            out += shown(chords.front());
        } else if (out.ends_with(kBehind) && words.starts_with(')')) {
            out.resize(out.size() - kBehind.size());
            words.remove_prefix(1);
        } else {
            out += "the key of \"" + std::string(id) + "\"";
        }
    }
    return out += words;
}

}  // namespace sla::ui
