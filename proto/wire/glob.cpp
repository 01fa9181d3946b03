#include "proto/wire/glob.h"

#include "proto/wire/utf8.h"

#include <cstdint>
#include <optional>

namespace sla::wire {
namespace {

constexpr std::uint32_t kBadByteBase = 0x80000000;  // bad bytes differ from each other and from all characters

std::uint32_t take(std::string_view& text) {
    const Character character = first_character(text);
    const std::uint32_t code_point =
        character.code_point == kBadCharacter ? kBadByteBase + static_cast<unsigned char>(text[0]) : character.code_point;
    text.remove_prefix(character.bytes);
    return code_point;
}

std::uint32_t take_escaped(std::string_view& pattern) {
    const std::uint32_t first = take(pattern);
    return first == '\\' && !pattern.empty() ? take(pattern) : first;
}

// Whether the class that begins behind its '[' holds `wanted`; leaves `pattern` behind the ']'. Nothing when it never
// closes.
std::optional<bool> take_class(std::string_view& pattern, std::uint32_t wanted) {
    std::string_view rest = pattern;
    const bool negated = !rest.empty() && (rest[0] == '!' || rest[0] == '^');
    if (negated) rest.remove_prefix(1);
    bool found = false;
    for (bool first = true; !rest.empty(); first = false) {
        if (rest[0] == ']' && !first) {
            pattern = rest.substr(1);
            return found != negated;
        }
        const std::uint32_t low = take_escaped(rest);
        std::uint32_t high = low;
        if (rest.size() >= 2 && rest[0] == '-' && rest[1] != ']') {
            rest.remove_prefix(1);
            high = take_escaped(rest);
        }
        found = found || (low <= wanted && wanted <= high);
    }
    return std::nullopt;
}

// Takes one element of the pattern (not a '*') and says whether it stands for that character. Where a class was never closed
// none behind it is: `unclosed` is what was left of the pattern there, and it is not looked for again.
bool take_element(std::string_view& pattern, std::uint32_t character, std::size_t& unclosed) {
    if (pattern[0] == '?') {
        pattern.remove_prefix(1);
        return true;
    }
    if (pattern[0] == '[' && pattern.size() <= unclosed) {
        pattern.remove_prefix(1);
        return character == '[';
    }
    if (pattern[0] == '[') {
        std::string_view behind = pattern.substr(1);
        if (const std::optional<bool> in_class = take_class(behind, character)) {
            pattern = behind;
            return *in_class;
        }
        unclosed = pattern.size();
        pattern.remove_prefix(1);
        return character == '[';
    }
    return take_escaped(pattern) == character;
}

}  // namespace

// Only the newest '*' ever needs another try: what stood before it has matched already, as early as it could.
bool glob_match(std::string_view pattern, std::string_view name) {
    if (pattern == name && pattern.find('\\') == std::string_view::npos) return true;
    std::optional<std::string_view> behind_star;
    std::string_view retry_from;
    std::size_t unclosed = 0;
    for (;;) {
        if (!pattern.empty() && pattern[0] == '*') {
            pattern.remove_prefix(1);
            behind_star = pattern;
            retry_from = name;
            continue;
        }
        if (name.empty()) return pattern.empty();
        std::string_view rest = name;
        const std::uint32_t character = take(rest);
        if (!pattern.empty() && take_element(pattern, character, unclosed)) {
            name = rest;
            continue;
        }
        if (!behind_star) return false;
        take(retry_from);
        name = retry_from;
        pattern = *behind_star;
    }
}

std::string glob_of_name(std::string_view name) {
    std::string pattern;
    for (const char c : name) {
        if (c == '*' || c == '?' || c == '[' || c == '\\') pattern += '\\';
        pattern += c;
    }
    return pattern;
}

}  // namespace sla::wire
