#pragma once

namespace sla::ui {

// GLFW's numbers of the keys that have no character; what runs without GLFW uses the same.
enum Key : int {
    kKeyEscape = 256,
    kKeyEnter = 257,
    kKeyTab = 258,
    kKeyBackspace = 259,
    kKeyDelete = 261,
    kKeyRight = 262,
    kKeyLeft = 263,
    kKeyDown = 264,
    kKeyUp = 265,
    kKeyPageUp = 266,
    kKeyPageDown = 267,
    kKeyHome = 268,
    kKeyEnd = 269,
    kKeyF1 = 290,
};

}  // namespace sla::ui
