// Which keys make a character or have a name, on a keyboard with the US layout.
#pragma once

#include "emu/device/input/keyboard.h"

#include <optional>
#include <string_view>

namespace sla::device {

struct Stroke {
    Keyboard::Key key;
    bool shift = false;
};

constexpr Keyboard::Key kLeftShift{0x12, false};

// ASCII, with Enter for '\n', Tab, Backspace for '\b' and Escape for '\x1b'.
std::optional<Stroke> stroke_of(char character);
// "up" "down" "left" "right" "home" "end" "pgup" "pgdn" "ins" "del" "f1" to "f12" "enter" "esc" "tab" "space"
std::optional<Stroke> stroke_named(std::string_view name);

}  // namespace sla::device
