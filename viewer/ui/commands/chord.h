// A key with what is held down with it: "W", "Shift+M", "Ctrl+Shift+P", "PageUp", "?".
//
// Letters and signs are what is printed on the keyboard, however it is laid out: they are taken as characters, and of signs
// Shift says nothing. With Ctrl there is no character; then a letter is the key at its place on an English keyboard.
#pragma once

#include "proto/base/result.h"
#include "viewer/ui/widgets/key_numbers.h"

#include <string>
#include <string_view>
#include <vector>

namespace sla::ui {

struct Chord {
    bool ctrl = false;
    bool shift = false;
    std::string key;  // "A".."Z", one sign or digit, or a name: Space, Up, PageDown, Home, Delete, F5 ...
    auto operator<=>(const Chord&) const = default;
};

Result<Chord> parse_chord(std::string_view text);
std::string chord_text(const Chord& chord);

// What was pressed in this frame, held keys again and again as they repeat. Nothing while text is typed.
std::vector<Chord> pressed_chords();

}  // namespace sla::ui
