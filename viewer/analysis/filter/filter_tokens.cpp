#include "viewer/analysis/filter/filter_tokens.h"

#include "proto/base/text.h"

namespace sla::analysis {

bool is_filter_word(char c) {
    return std::string_view(" \t\n()<>=!~&|'\"").find(c) == std::string_view::npos;
}

Error unclear_filter(const std::string& what, std::size_t at) {
    return invalid_input("filter, character " + std::to_string(at + 1) + ": " + what);
}

Result<std::vector<FilterToken>> filter_tokens(std::string_view text) {
    std::vector<FilterToken> tokens;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t start = at;
        const char c = text[at];
        if (c == ' ' || c == '\t' || c == '\n') {
            ++at;
        } else if (c == '\'' || c == '"') {
            const std::size_t end = text.find(c, at + 1);
            if (end == std::string_view::npos) return unclear_filter("this quote is never closed", start);
            tokens.push_back({std::string(text.substr(at + 1, end - at - 1)), true, start});
            at = end + 1;
        } else if (is_filter_word(c)) {
            while (at < text.size() && is_filter_word(text[at])) ++at;
            tokens.push_back({std::string(text.substr(start, at - start)), false, start});
        } else {
            const std::string_view two = text.substr(at, 2);
            const bool pair = two == "==" || two == "!=" || two == "<=" || two == ">=" || two == "&&" || two == "||";
            at += pair ? 2 : 1;
            tokens.push_back({std::string(text.substr(start, at - start)), false, start});
        }
    }
    return tokens;
}

std::optional<EventFilter::Number> filter_number(std::string_view text) {
    constexpr int kHexadecimal = 16;
    EventFilter::Number number;
    const bool is_hex = text.starts_with("0x") || text.starts_with("0X");
    const auto large =
        is_hex ? whole_number<std::uint64_t>(text.substr(2), kHexadecimal) : whole_number<std::uint64_t>(text);
    if (large) {
        number.integer = *large;
    } else if (const auto small = whole_number<std::int64_t>(text)) {  // of hexadecimal ones none
        number.integer = *small;
    } else if (const auto real = whole_number<double>(text)) {
        number.is_integer = false;
        number.real = *real;
    } else {
        return std::nullopt;
    }
    return number;
}

}  // namespace sla::analysis
