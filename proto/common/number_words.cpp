#include "proto/common/number_words.h"

#include <algorithm>

namespace sla::common {
namespace {

bool are(std::string_view digits, bool (*of_kind)(char)) {
    return !digits.empty() && std::all_of(digits.begin(), digits.end(), of_kind);
}

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

bool is_hex_digit(char c) {
    return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

}  // namespace

std::optional<std::string> whole_digits(std::string_view word) {
    const bool is_negative = word.starts_with('-');
    if (is_negative || word.starts_with('+')) word.remove_prefix(1);
    std::string decimal;
    if (word.starts_with("0x") || word.starts_with("0X")) {
        word.remove_prefix(2);
        if (!are(word, is_hex_digit)) return std::nullopt;
        const auto number = whole_number<std::uint64_t>(word, 16);
        decimal = number ? std::to_string(*number) : "18446744073709551616";  // too large in any case
    } else {
        if (!are(word, is_digit)) return std::nullopt;
        decimal = word.substr(std::min(word.find_first_not_of('0'), word.size() - 1));
    }
    return is_negative && decimal != "0" ? "-" + decimal : decimal;
}

}  // namespace sla::common
