#include "emu/tap/guest_text.h"

#include "proto/wire/utf8.h"

#include <fmt/format.h>

#include <cstdint>
#include <limits>

namespace sla::tap {

namespace {

constexpr std::size_t kHashDigits = 16;

bool is_control(std::uint32_t code_point) {
    return code_point < 0x20 || (code_point >= 0x7F && code_point < 0xA0);
}

std::string escaped(std::string_view bytes, std::size_t longest) {
    std::string out;
    while (!bytes.empty()) {
        const wire::Character character = wire::first_character(bytes);
        std::string piece(bytes.substr(0, character.bytes));
        const bool shown = character.code_point != wire::kBadCharacter && !is_control(character.code_point);
        if (!shown || bytes.starts_with("\\x")) {
            std::string code;
            for (const char byte : piece) code += fmt::format("\\x{:02x}", static_cast<unsigned char>(byte));
            piece = std::move(code);
        }
        if (piece.size() > longest - out.size()) break;
        out += piece;
        bytes.remove_prefix(character.bytes);
    }
    return out;
}

std::uint64_t hash_of_name(std::string_view bytes) {
    constexpr std::uint64_t kFnvBasis = 0xCBF29CE484222325;
    constexpr std::uint64_t kFnvPrime = 0x100000001B3;
    std::uint64_t hash = kFnvBasis;
    for (const char byte : bytes) hash = (hash ^ static_cast<unsigned char>(byte)) * kFnvPrime;
    return hash;
}

}  // namespace

std::string guest_name(std::string_view bytes) {
    std::string name = escaped(bytes, std::numeric_limits<std::size_t>::max());
    if (name.size() <= kMaxGuestName) return name;
    return fmt::format("{}~{:0{}x}", escaped(bytes, kMaxGuestName - 1 - kHashDigits), hash_of_name(bytes), kHashDigits);
}

std::string guest_text(std::string_view bytes) {
    return escaped(bytes, kMaxGuestText);
}

}  // namespace sla::tap
