#include "emu/device/input/key_names.h"

#include <array>

namespace sla::device {

namespace {

struct CharacterKey {
    char plain;
    char shifted;
    std::uint8_t code;  // scan code set 2
};

constexpr std::array kCharacters{
    CharacterKey{'1', '!', 0x16},     CharacterKey{'2', '@', 0x1E},   CharacterKey{'3', '#', 0x26},
    CharacterKey{'4', '$', 0x25},     CharacterKey{'5', '%', 0x2E},   CharacterKey{'6', '^', 0x36},
    CharacterKey{'7', '&', 0x3D},     CharacterKey{'8', '*', 0x3E},   CharacterKey{'9', '(', 0x46},
    CharacterKey{'0', ')', 0x45},     CharacterKey{'-', '_', 0x4E},   CharacterKey{'=', '+', 0x55},
    CharacterKey{'q', 'Q', 0x15},     CharacterKey{'w', 'W', 0x1D},   CharacterKey{'e', 'E', 0x24},
    CharacterKey{'r', 'R', 0x2D},     CharacterKey{'t', 'T', 0x2C},   CharacterKey{'y', 'Y', 0x35},
    CharacterKey{'u', 'U', 0x3C},     CharacterKey{'i', 'I', 0x43},   CharacterKey{'o', 'O', 0x44},
    CharacterKey{'p', 'P', 0x4D},     CharacterKey{'[', '{', 0x54},   CharacterKey{']', '}', 0x5B},
    CharacterKey{'a', 'A', 0x1C},     CharacterKey{'s', 'S', 0x1B},   CharacterKey{'d', 'D', 0x23},
    CharacterKey{'f', 'F', 0x2B},     CharacterKey{'g', 'G', 0x34},   CharacterKey{'h', 'H', 0x33},
    CharacterKey{'j', 'J', 0x3B},     CharacterKey{'k', 'K', 0x42},   CharacterKey{'l', 'L', 0x4B},
    CharacterKey{';', ':', 0x4C},     CharacterKey{'\'', '"', 0x52},  CharacterKey{'`', '~', 0x0E},
    CharacterKey{'\\', '|', 0x5D},    CharacterKey{'z', 'Z', 0x1A},   CharacterKey{'x', 'X', 0x22},
    CharacterKey{'c', 'C', 0x21},     CharacterKey{'v', 'V', 0x2A},   CharacterKey{'b', 'B', 0x32},
    CharacterKey{'n', 'N', 0x31},     CharacterKey{'m', 'M', 0x3A},   CharacterKey{',', '<', 0x41},
    CharacterKey{'.', '>', 0x49},     CharacterKey{'/', '?', 0x4A},   CharacterKey{' ', '\0', 0x29},
    CharacterKey{'\n', '\0', 0x5A},   CharacterKey{'\t', '\0', 0x0D}, CharacterKey{'\b', '\0', 0x66},
    CharacterKey{'\x1B', '\0', 0x76},
};

struct NamedKey {
    std::string_view name;
    Keyboard::Key key;
};

constexpr std::array kNames{
    NamedKey{"up", {0x75, true}},    NamedKey{"down", {0x72, true}},   NamedKey{"left", {0x6B, true}},
    NamedKey{"right", {0x74, true}}, NamedKey{"home", {0x6C, true}},   NamedKey{"end", {0x69, true}},
    NamedKey{"pgup", {0x7D, true}},  NamedKey{"pgdn", {0x7A, true}},   NamedKey{"ins", {0x70, true}},
    NamedKey{"del", {0x71, true}},   NamedKey{"f1", {0x05, false}},    NamedKey{"f2", {0x06, false}},
    NamedKey{"f3", {0x04, false}},   NamedKey{"f4", {0x0C, false}},    NamedKey{"f5", {0x03, false}},
    NamedKey{"f6", {0x0B, false}},   NamedKey{"f7", {0x83, false}},    NamedKey{"f8", {0x0A, false}},
    NamedKey{"f9", {0x01, false}},   NamedKey{"f10", {0x09, false}},   NamedKey{"f11", {0x78, false}},
    NamedKey{"f12", {0x07, false}},  NamedKey{"enter", {0x5A, false}}, NamedKey{"esc", {0x76, false}},
    NamedKey{"tab", {0x0D, false}},  NamedKey{"space", {0x29, false}},
};

}  // namespace

std::optional<Stroke> stroke_of(char character) {
    for (const CharacterKey& key : kCharacters) {
        if (key.plain == character) return Stroke{{key.code, false}, false};
        if (key.shifted == character && character != '\0') return Stroke{{key.code, false}, true};
    }
    return std::nullopt;
}

std::optional<Stroke> stroke_named(std::string_view name) {
    for (const NamedKey& named : kNames) {
        if (named.name == name) return Stroke{named.key, false};
    }
    return std::nullopt;
}

}  // namespace sla::device
