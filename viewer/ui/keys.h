// The keys of the window. Letters and signs are taken as characters, so that they mean what is printed on the keyboard.
#pragma once

#include "viewer/ui/context.h"

namespace sla::ui {

// Not while text is being typed.
void handle_keys(Context& context);

// GLFW's numbers of the keys that have no character; what runs without GLFW uses the same.
enum Key : int {
    kKeyE = 69,
    kKeyEscape = 256,
    kKeyEnter = 257,
    kKeyBackspace = 259,
    kKeyRight = 262,
    kKeyLeft = 263,
    kKeyDown = 264,
    kKeyUp = 265,
    kKeyPageUp = 266,
    kKeyPageDown = 267,
    kKeyHome = 268,
    kKeyEnd = 269,
};

}  // namespace sla::ui
