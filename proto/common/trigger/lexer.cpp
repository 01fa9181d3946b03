#include "proto/common/trigger/lexer.h"

#include "proto/wire/utf8.h"

#include <algorithm>
#include <array>

namespace sla::trigger {
namespace {

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}
bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}
bool begins_name(char c) {
    return is_letter(c) || c == '*' || c == '?' || c == '[';
}
bool continues_name(char c) {
    return begins_name(c) || is_digit(c) || std::string_view(".:/@$%~-+]").find(c) != std::string_view::npos;
}
bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

// How many bytes of a bare name there are at the front; "a->b" ends before the arrow, "[!a]" may hold a '!'.
std::size_t bare_name_length(std::string_view text) {
    if (text.empty() || !begins_name(text[0])) return 0;
    std::size_t at = 0;
    while (at < text.size()) {
        const char c = text[at];
        if (c == '-' && at + 1 < text.size() && text[at + 1] == '>') break;
        const bool negated = c == '[' && at + 2 < text.size() && (text[at + 1] == '!' || text[at + 1] == '^');
        if (negated && continues_name(text[at + 2])) {
            at += 2;
            continue;
        }
        if (!continues_name(c)) break;
        ++at;
    }
    return at;
}

std::size_t characters_in(std::string_view text) {
    std::size_t count = 0;
    for (; !text.empty(); text.remove_prefix(wire::first_character(text).bytes)) ++count;
    return count;
}

constexpr std::size_t kShownBytes = 400;  // of a long line

}  // namespace

bool is_bare_name(std::string_view text) {
    return !text.empty() && bare_name_length(text) == text.size();
}

void Lexer::skip_blanks() {
    while (at_ < text_.size()) {
        if (is_blank(text_[at_])) {
            ++at_;
        } else if (text_[at_] == '#') {
            at_ = std::min(text_.find('\n', at_), text_.size());
        } else {
            return;
        }
    }
}

Token Lexer::finish(Token token) {
    token.behind = at_;
    return token;
}

Token Lexer::next() {
    skip_blanks();
    if (at_ == text_.size()) {
        Token end;
        end.at = at_;
        return finish(end);
    }
    const char c = peek();
    if (c == '"' || c == '\'') return quoted_name();
    const bool sign = (c == '-' || c == '+') && (is_digit(peek(1)) || peek(1) == '.');
    if (is_digit(c) || sign || (c == '.' && is_digit(peek(1)))) return number();
    if (begins_name(c)) return bare_name();
    return symbol();
}

// "a name" or 'a name', with the quote and \\ inside.
Token Lexer::quoted_name() {
    Token token{Token::Kind::kName, "", true, at_, 0};
    const char quote = text_[at_];
    for (++at_; at_ < text_.size() && text_[at_] != quote; ++at_) {
        if (text_[at_] == '\\' && (peek(1) == quote || peek(1) == '\\')) ++at_;
        token.text += text_[at_];
    }
    if (at_ == text_.size()) {
        token.kind = Token::Kind::kBad;
        token.text = "a quote that is never closed";
        return finish(token);
    }
    ++at_;
    return finish(token);
}

Token Lexer::bare_name() {
    Token token{Token::Kind::kName, "", false, at_, 0};
    token.text = text_.substr(at_, bare_name_length(text_.substr(at_)));
    at_ += token.text.size();
    return finish(token);
}

// Digits with whatever letters hang on them: "5", "3x", "1.5ms", "0x1f", "-1e-3". A ".." is not part of it.
Token Lexer::number() {
    Token token{Token::Kind::kNumber, "", false, at_, 0};
    const bool hex = peek() == '0' && (peek(1) == 'x' || peek(1) == 'X');
    token.text += text_[at_++];
    while (at_ < text_.size()) {
        const char c = text_[at_];
        const char before = token.text.back();
        const bool exponent = (c == '-' || c == '+') && (before == 'e' || before == 'E') && !hex && is_digit(peek(1));
        if (c == '.' && peek(1) == '.') break;
        if (!is_digit(c) && !is_letter(c) && c != '.' && !exponent) break;
        token.text += c;
        ++at_;
    }
    return finish(token);
}

Token Lexer::symbol() {
    static constexpr std::array<std::string_view, 14> kSymbols = {"->", "..", "<=", ">=", "==", "!=", "<",
                                                                  ">",  "(",  ")",  "/",  ",",  "=",  "~"};
    Token token{Token::Kind::kSymbol, "", false, at_, 0};
    for (const std::string_view symbol : kSymbols) {
        if (!text_.substr(at_).starts_with(symbol)) continue;
        token.text = symbol;
        at_ += symbol.size();
        return finish(token);
    }
    token.kind = Token::Kind::kBad;
    token.text = text_[at_++];
    return finish(token);
}

Error error_at(std::string_view text, std::size_t at, const std::string& what) {
    at = std::min(at, text.size());
    const std::size_t begin = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;  // npos + 1 is 0
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const auto line_number = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(begin), '\n') + 1;
    const bool several = text.find('\n') != std::string_view::npos;
    const std::size_t column = characters_in(text.substr(begin, at - begin)) + 1;

    std::string message = several ? "line " + std::to_string(line_number) + ", " : "";
    message += "column " + std::to_string(column) + ": " + what;
    if (end - begin > kShownBytes) return invalid_input(message);
    std::string line = wire::to_utf8(text.substr(begin, end - begin));
    std::replace(line.begin(), line.end(), '\t', ' ');
    return invalid_input(message + "\n  " + line + "\n  " + std::string(column - 1, ' ') + "^");
}

}  // namespace sla::trigger
