#include "proto/wire/utf8.h"

#include <algorithm>
#include <cstring>

namespace sla::wire {
namespace {

constexpr std::string_view kReplacement = "\xef\xbf\xbd";

struct Lead {
    std::size_t bytes;       // 0: no character begins so
    std::uint32_t bits;      // of the first byte
    std::uint32_t smallest;  // anything below has a shorter form
};

Lead lead_of(unsigned char byte) {
    if (byte < 0x80) return {1, byte, 0};
    if (byte < 0xc2) return {0, 0, 0};
    if (byte < 0xe0) return {2, byte & 0x1fu, 0x80};
    if (byte < 0xf0) return {3, byte & 0x0fu, 0x800};
    if (byte < 0xf5) return {4, byte & 0x07u, 0x10000};
    return {0, 0, 0};
}

bool is_ascii_word(const char* bytes) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes, sizeof word);
    return (word & 0x8080808080808080) == 0;
}

// How many bytes at the beginning are ASCII, as far as whole words show (the last one may overlap): most texts are all that.
std::size_t ascii_before(std::string_view text) {
    constexpr std::size_t kWord = sizeof(std::uint64_t);
    std::size_t at = 0;
    while (at + kWord <= text.size() && is_ascii_word(text.data() + at)) at += kWord;
    const bool is_tail = at > 0 && at + kWord > text.size();
    return is_tail && is_ascii_word(text.data() + text.size() - kWord) ? text.size() : at;
}

}  // namespace

Character first_character(std::string_view text) {
    const Lead lead = lead_of(static_cast<unsigned char>(text[0]));
    if (lead.bytes == 0 || lead.bytes > text.size()) return {kBadCharacter, 1};
    std::uint32_t code_point = lead.bits;
    for (std::size_t i = 1; i < lead.bytes; ++i) {
        const auto byte = static_cast<unsigned char>(text[i]);
        if ((byte & 0xc0) != 0x80) return {kBadCharacter, 1};
        code_point = code_point << 6 | (byte & 0x3fu);
    }
    const bool surrogate = code_point >= 0xd800 && code_point <= 0xdfff;
    if (code_point < lead.smallest || code_point > 0x10ffff || surrogate) return {kBadCharacter, 1};
    return {code_point, lead.bytes};
}

bool is_utf8(std::string_view text) {
    text.remove_prefix(ascii_before(text));
    while (!text.empty()) {
        const Character character = first_character(text);
        if (character.code_point == kBadCharacter) return false;
        text.remove_prefix(character.bytes);
    }
    return true;
}

std::string to_utf8(std::string_view text, std::size_t max_bytes) {
    std::string out;
    out.reserve(text.size() < max_bytes ? text.size() : max_bytes);
    out = text.substr(0, std::min(ascii_before(text), max_bytes));
    text.remove_prefix(out.size());
    while (!text.empty()) {
        const Character character = first_character(text);
        const std::string_view piece =
            character.code_point == kBadCharacter ? kReplacement : text.substr(0, character.bytes);
        if (piece.size() > max_bytes - out.size()) break;
        out += piece;
        text.remove_prefix(character.bytes);
    }
    return out;
}

}  // namespace sla::wire
