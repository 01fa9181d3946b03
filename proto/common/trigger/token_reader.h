// One token of look-ahead over the lexer, and the small things that expressions and levels both read. Private to the room.
//
// After the first error every call gives back what it can and `failed()` stays true; the first error is the one reported.
#pragma once

#include "proto/common/trigger/ast.h"
#include "proto/common/trigger/lexer.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sla::trigger {

class TokenReader {
public:
    explicit TokenReader(std::string_view text);

    [[nodiscard]] const Token& token() const { return token_; }
    [[nodiscard]] bool at_end() const { return token_.kind == Token::Kind::kEnd; }
    [[nodiscard]] bool failed() const { return error_.has_value(); }
    [[nodiscard]] const Error& error() const { return *error_; }

    void step();
    bool take_word(std::string_view word);
    bool take_symbol(std::string_view symbol);
    void want_symbol(std::string_view symbol, const std::string& what);
    // "WHAT, found 'x'", at the token.
    void fail(const std::string& wanted);
    void fail_at(std::size_t at, const std::string& what);

    // NAME, or as filters say it: channel ~ PATTERN, channel == NAME.
    Name channel(const std::string& what);
    [[nodiscard]] bool is_channel_field() const;
    std::string name(const std::string& what);  // of a level, counter or timer
    std::optional<Compare> take_compare();
    Compare compare(const std::string& behind);
    long double number(const std::string& what);
    std::int64_t duration(const std::string& behind);
    // "3 x" or "3x"; 1 when there is none.
    std::uint64_t count();

private:
    Token plain_name(const std::string& what);

    std::string_view text_;
    Lexer lexer_;
    Token token_;
    std::optional<Error> error_;
};

}  // namespace sla::trigger
