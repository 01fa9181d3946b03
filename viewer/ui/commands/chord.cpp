#include "viewer/ui/commands/chord.h"

#include <imgui.h>

#include <array>
#include <cctype>

namespace sla::ui {

namespace {

struct NamedKey {
    const char* name;
    int number;
};

constexpr std::array<NamedKey, 25> kNamed{{
    {"Escape", kKeyEscape}, {"Enter", kKeyEnter},   {"Tab", kKeyTab},           {"Backspace", kKeyBackspace},
    {"Delete", kKeyDelete}, {"Right", kKeyRight},   {"Left", kKeyLeft},         {"Down", kKeyDown},
    {"Up", kKeyUp},         {"PageUp", kKeyPageUp}, {"PageDown", kKeyPageDown}, {"Home", kKeyHome},
    {"End", kKeyEnd},       {"F1", kKeyF1},         {"F2", kKeyF1 + 1},         {"F3", kKeyF1 + 2},
    {"F4", kKeyF1 + 3},     {"F5", kKeyF1 + 4},     {"F6", kKeyF1 + 5},         {"F7", kKeyF1 + 6},
    {"F8", kKeyF1 + 7},     {"F9", kKeyF1 + 8},     {"F10", kKeyF1 + 9},        {"F11", kKeyF1 + 10},
    {"F12", kKeyF1 + 11},
}};

bool same_word(std::string_view a, std::string_view b) {
    if (a.size() != b.size()) return false;
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (std::tolower(static_cast<unsigned char>(a[i])) != std::tolower(static_cast<unsigned char>(b[i]))) return false;
    }
    return true;
}

bool is_letter(unsigned character) {
    return (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z');
}

Chord chord_of(unsigned character) {
    if (character == ' ') return {false, false, "Space"};
    const auto sign = static_cast<char>(character);
    if (!is_letter(character)) return {false, false, std::string(1, sign)};
    const bool upper = sign >= 'A' && sign <= 'Z';
    return {false, upper, std::string(1, static_cast<char>(std::toupper(static_cast<unsigned char>(sign))))};
}

}  // namespace

Result<Chord> parse_chord(std::string_view text) {
    Chord chord;
    std::string_view rest = text;
    for (std::size_t plus = rest.find('+'); plus != std::string_view::npos && plus > 0 && plus + 1 < rest.size();
         plus = rest.find('+')) {
        const std::string_view held = rest.substr(0, plus);
        if (same_word(held, "Ctrl")) {
            chord.ctrl = true;
        } else if (same_word(held, "Shift")) {
            chord.shift = true;
        } else {
            return invalid_input("'" + std::string(text) + "' is no key: before a '+' stands Ctrl or Shift");
        }
        rest.remove_prefix(plus + 1);
    }
    if (rest.size() == 1 && rest[0] > ' ' && rest[0] <= '~') {
        const Chord one = chord_of(static_cast<unsigned char>(rest[0]));
        chord.key = one.key;
        if (!is_letter(static_cast<unsigned char>(rest[0]))) chord.shift = false;  // the sign says it
        return chord;
    }
    if (same_word(rest, "Space")) return Chord{chord.ctrl, false, "Space"};
    for (const NamedKey& named : kNamed) {
        if (!same_word(rest, named.name)) continue;
        chord.key = named.name;
        return chord;
    }
    return invalid_input("'" + std::string(text) + "' is no key; write it like W, Shift+M, Ctrl+F, PageUp, F5 or ?");
}

std::string chord_text(const Chord& chord) {
    return std::string(chord.ctrl ? "Ctrl+" : "") + (chord.shift ? "Shift+" : "") + chord.key;
}

namespace {

// While a text is typed: Ctrl with a letter that means nothing in a field, so that one can go on to the next place. Not
// Ctrl+W, which takes a word away elsewhere.
std::vector<Chord> chords_beside_text() {
    constexpr std::string_view kOfFields = "ACVXYZW";
    std::vector<Chord> chords;
    const ImGuiIO& io = ImGui::GetIO();
    for (int key = 'A'; io.KeyCtrl && key <= 'Z'; ++key) {
        const auto letter = static_cast<char>(key);
        if (kOfFields.find(letter) != std::string_view::npos || !ImGui::IsKeyPressed(key, false)) continue;
        chords.push_back({true, io.KeyShift, std::string(1, letter)});
    }
    return chords;
}

}  // namespace

std::vector<Chord> pressed_chords() {
    std::vector<Chord> chords;
    const ImGuiIO& io = ImGui::GetIO();
    if (io.WantTextInput) return chords_beside_text();
    if (!io.KeyCtrl) {
        for (const ImWchar character : io.InputQueueCharacters) {
            if (character >= ' ' && character <= '~') chords.push_back(chord_of(character));
        }
    } else {
        for (unsigned key = ' '; key <= '`'; ++key) {  // GLFW numbers printable keys as the English keyboard's characters
            if (!ImGui::IsKeyPressed(static_cast<int>(key), false)) continue;
            chords.push_back({true, io.KeyShift && is_letter(key), chord_of(key).key});  // of signs Shift says nothing
        }
    }
    for (const NamedKey& named : kNamed) {
        if (ImGui::IsKeyPressed(named.number)) chords.push_back({io.KeyCtrl, io.KeyShift, named.name});
    }
    return chords;
}

}  // namespace sla::ui
