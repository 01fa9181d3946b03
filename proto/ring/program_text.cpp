#include "proto/ring/program_text.h"

#include "proto/base/control_characters.h"

#include <algorithm>
#include <utility>

namespace sla::ring {
namespace {

// What may stand behind a first byte: so many bytes, of which the second lies within bounds that leave out longer forms than
// needed, surrogates, and what is past U+10FFFF.
struct Sequence {
    std::size_t bytes;  // 0: nothing begins so
    unsigned char low = 0x80;
    unsigned char high = 0xbf;
};

Sequence sequence_of(unsigned char lead) {
    if (lead < 0x80) return {1};
    if (lead >= 0xc2 && lead < 0xe0) return {2};
    if (lead == 0xe0) return {3, 0xa0};
    if (lead == 0xed) return {3, 0x80, 0x9f};
    if (lead > 0xe0 && lead < 0xf0) return {3};
    if (lead == 0xf0) return {4, 0x90};
    if (lead == 0xf4) return {4, 0x80, 0x8f};
    if (lead > 0xf0 && lead < 0xf4) return {4};
    return {0};
}

bool begins_with(std::string_view text, const Sequence& sequence) {
    if (sequence.bytes == 0 || sequence.bytes > text.size()) return false;
    for (std::size_t i = 1; i < sequence.bytes; i++) {
        const auto byte = static_cast<unsigned char>(text[i]);
        const bool is_second = i == 1;
        if (byte < (is_second ? sequence.low : 0x80) || byte > (is_second ? sequence.high : 0xbf)) return false;
    }
    return true;
}

std::string valid_utf8(std::string text) {
    for (std::size_t at = 0; at < text.size();) {
        const Sequence sequence = sequence_of(static_cast<unsigned char>(text[at]));
        const bool valid = begins_with(std::string_view(text).substr(at), sequence);
        if (!valid) text[at] = '?';
        at += valid ? sequence.bytes : 1;
    }
    return text;
}

}  // namespace

std::string program_text(std::span<const char> from) {
    std::string text(from.data(), from.size());
    text.resize(std::min(text.find('\0'), text.size()));
    return valid_utf8(without_control(std::move(text), '?'));
}

}  // namespace sla::ring
