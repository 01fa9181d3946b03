// The words of a trigger's text. Never fails: what is no word becomes one of kind kBad, and the parser says what it wanted.
#pragma once

#include "proto/base/result.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace sla::trigger {

struct Token {
    enum class Kind { kEnd, kName, kNumber, kSymbol, kBad };
    Kind kind = Kind::kEnd;
    std::string text;     // of a quoted name without quotes and escapes
    bool quoted = false;  // names only
    std::size_t at = 0;   // first byte in the text
    std::size_t behind = 0;

    [[nodiscard]] bool is_word(std::string_view word) const { return kind == Kind::kName && !quoted && text == word; }
    [[nodiscard]] bool is_symbol(std::string_view symbol) const { return kind == Kind::kSymbol && text == symbol; }
};

class Lexer {
public:
    explicit Lexer(std::string_view text) : text_(text) {}
    Token next();

private:
    void skip_blanks();
    Token quoted_name();
    Token bare_name();
    Token number();
    Token symbol();
    [[nodiscard]] char peek(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
    Token finish(Token token);

    std::string_view text_;
    std::size_t at_ = 0;
};

// Could this text stand as a name without quotes?
bool is_bare_name(std::string_view text);

// "column 12: WHAT", then that line of the text and a caret under the place; with the line's number when there are several.
Error error_at(std::string_view text, std::size_t at, const std::string& what);

}  // namespace sla::trigger
