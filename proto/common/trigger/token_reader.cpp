#include "proto/common/trigger/token_reader.h"

#include "proto/common/trigger/parser.h"
#include "proto/time/duration.h"
#include "proto/wire/glob.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

namespace sla::trigger {
namespace {

constexpr std::array<std::string_view, 26> kReserved = {
    "and",  "or",    "then", "within", "rises", "falls", "changes", "begins",  "ends", "in",    "delta", "width", "gap",
    "rate", "level", "if",   "else",   "goto",  "start", "stop",    "trigger", "add",  "clear", "stay",  "timer", "counter"};

constexpr std::array<std::pair<std::string_view, Compare>, 7> kCompares = {{{"<", Compare::kLess},
                                                                            {"<=", Compare::kLessEqual},
                                                                            {">", Compare::kGreater},
                                                                            {">=", Compare::kGreaterEqual},
                                                                            {"==", Compare::kEqual},
                                                                            {"!=", Compare::kNotEqual},
                                                                            {"=", Compare::kEqual}}};

std::string shown(const Token& token) {
    if (token.kind == Token::Kind::kEnd) return "the end";
    if (token.kind == Token::Kind::kBad && token.text.size() > 1) return token.text;
    return "'" + token.text + "'";
}

// Whole numbers exactly (decimal and 0x), others as doubles.
std::optional<long double> number_from(std::string_view text) {
    if (!text.empty() && text[0] == '+') text.remove_prefix(1);
    const bool negative = !text.empty() && text[0] == '-';
    std::string_view digits = text.substr(negative ? 1 : 0);
    const bool hex = digits.starts_with("0x") || digits.starts_with("0X");
    if (hex) digits.remove_prefix(2);
    std::uint64_t whole = 0;
    const char* const end = digits.data() + digits.size();
    if (digits.empty() || digits[0] == '-') return std::nullopt;
    const auto read = std::from_chars(digits.data(), end, whole, hex ? 16 : 10);
    if (read.ec == std::errc() && read.ptr == end) {
        return negative ? -static_cast<long double>(whole) : static_cast<long double>(whole);
    }
    double real = 0;
    const auto as_real = std::from_chars(digits.data(), end, real);
    if (hex || as_real.ec != std::errc() || as_real.ptr != end || !std::isfinite(real)) return std::nullopt;
    return negative ? -static_cast<long double>(real) : static_cast<long double>(real);
}

}  // namespace

bool is_reserved(std::string_view word) {
    return std::find(kReserved.begin(), kReserved.end(), word) != kReserved.end();
}

TokenReader::TokenReader(std::string_view text) : text_(text), lexer_(text) {
    if (text.size() > kMaxTextBytes) fail_at(0, "the text is longer than " + std::to_string(kMaxTextBytes) + " bytes");
    if (!failed()) token_ = lexer_.next();
}

void TokenReader::step() {
    if (!failed()) token_ = lexer_.next();
}

void TokenReader::fail_at(std::size_t at, const std::string& what) {
    if (failed()) return;
    error_ = error_at(text_, at, what);
    token_ = Token{};  // an end, so that every loop ends
}

void TokenReader::fail(const std::string& wanted) {
    if (failed()) return;
    fail_at(token_.at, wanted + ", found " + shown(token_));
}

bool TokenReader::take_word(std::string_view word) {
    if (failed() || !token_.is_word(word)) return false;
    step();
    return true;
}

bool TokenReader::take_symbol(std::string_view symbol) {
    if (failed() || !token_.is_symbol(symbol)) return false;
    step();
    return true;
}

void TokenReader::want_symbol(std::string_view symbol, const std::string& what) {
    if (!take_symbol(symbol)) fail(what);
}

Token TokenReader::plain_name(const std::string& what) {
    if (token_.kind != Token::Kind::kName) {
        fail("expected " + what);
        return {};
    }
    if (!token_.quoted && is_reserved(token_.text)) {
        fail_at(token_.at, "expected " + what + ", but '" + token_.text +
                               "' is a word of the language: put a name like that in quotes");
        return {};
    }
    Token name = token_;
    if (name.text.empty()) fail_at(name.at, "a name cannot be empty");
    step();
    return name;
}

// A channel that is called "channel" may stand here too, before a comparison with a number.
bool TokenReader::is_channel_field() const {
    if (failed() || !token_.is_word("channel")) return false;
    TokenReader ahead = *this;
    ahead.step();
    if (ahead.take_symbol("~")) return true;
    return (ahead.take_symbol("==") || ahead.take_symbol("=")) && ahead.token().kind == Token::Kind::kName;
}

Name TokenReader::channel(const std::string& what) {
    if (is_channel_field()) {
        step();
        const bool may_be_pattern = token_.is_symbol("~");
        step();
        Token token = plain_name(may_be_pattern ? "a pattern behind '~'" : "a channel's name");
        const bool is_glob = may_be_pattern && wire::is_pattern(token.text);
        return {std::move(token.text), is_glob};
    }
    Token token = plain_name(what);
    const bool is_glob = !token.quoted && wire::is_pattern(token.text);
    return {std::move(token.text), is_glob};
}

std::string TokenReader::name(const std::string& what) {
    return plain_name(what).text;
}

std::optional<Compare> TokenReader::take_compare() {
    if (failed() || token_.kind != Token::Kind::kSymbol) return std::nullopt;
    for (const auto& [symbol, compare] : kCompares) {
        if (token_.text != symbol) continue;
        step();
        return compare;
    }
    return std::nullopt;
}

Compare TokenReader::compare(const std::string& behind) {
    const std::optional<Compare> found = take_compare();
    if (!found) fail("expected a comparison (< <= > >= == !=) " + behind);
    return found.value_or(Compare::kEqual);
}

long double TokenReader::number(const std::string& what) {
    std::optional<long double> value;
    if (token_.kind == Token::Kind::kNumber) value = number_from(token_.text);
    if (!value) {
        fail("expected a number " + what);
        return 0;
    }
    step();
    return *value;
}

// The unit may stand apart: "5 ms".
std::int64_t TokenReader::duration(const std::string& behind) {
    const Token first = token_;
    if (first.kind != Token::Kind::kNumber) {
        fail("expected a time such as 5ms " + behind);
        return 0;
    }
    std::string text = first.text;
    step();
    const bool bare = text.find_first_not_of("+-.0123456789") == std::string::npos;
    if (bare && token_.kind == Token::Kind::kName && !token_.quoted && time::parse_duration("1" + token_.text).ok()) {
        text += token_.text;
        step();
    }
    const Result<std::int64_t> ps = time::parse_duration(text);
    if (!ps) {
        fail_at(first.at, ps.error().message);
        return 0;
    }
    if (*ps < 0) fail_at(first.at, "a time cannot be negative here");
    return *ps;
}

std::uint64_t TokenReader::count() {
    if (token_.kind != Token::Kind::kNumber) return 1;
    const Token number = token_;
    std::string digits = number.text;
    const bool joined = !digits.empty() && digits.back() == 'x';
    if (joined) digits.pop_back();
    step();
    if (!joined && !take_word("x")) {
        fail_at(number.at, "a number at the beginning is how often: write '" + digits +
                               " x CONDITION', or put the name of a " + "channel that begins with a digit in quotes");
        return 1;
    }
    const std::optional<long double> value = number_from(digits);
    const bool good = value && *value >= 1 && *value <= static_cast<long double>(kMaxCount) && *value == std::floor(*value);
    if (!good) {
        fail_at(number.at, "how often must be a whole number from 1 to " + std::to_string(kMaxCount));
        return 1;
    }
    return static_cast<std::uint64_t>(*value);
}

}  // namespace sla::trigger
