// LimitWords: a limit as people type it, word by word: names, texts in quotation marks, comparisons and ->. Private to the room.
#pragma once

#include "proto/base/result.h"
#include "viewer/analysis/limits/limit.h"

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace sla::analysis {

inline constexpr std::array<std::pair<std::string_view, Compare>, 6> kCompares = {{{"<=", Compare::kLessEqual},
                                                                                   {">=", Compare::kGreaterEqual},
                                                                                   {"==", Compare::kEqual},
                                                                                   {"!=", Compare::kNotEqual},
                                                                                   {"<", Compare::kLess},
                                                                                   {">", Compare::kGreater}}};

struct LimitWord {
    std::string text;
    std::size_t column = 0;  // from 0
    bool quoted = false;
    bool sign = false;  // -> or a comparison

    [[nodiscard]] bool is(std::string_view what) const { return !quoted && text == what; }
    [[nodiscard]] bool over() const { return text.empty() && !quoted; }
};

class LimitWords {
public:
    explicit LimitWords(std::string_view text) : text_(text) {}

    [[nodiscard]] std::string_view text() const { return text_; }
    [[nodiscard]] const LimitWord& word() const { return word_; }
    // The last one has a quotation mark that nothing closes.
    [[nodiscard]] bool is_quote_open() const { return open_quote_; }
    // A single ~ between blanks follows.
    [[nodiscard]] bool is_tilde_next() const;
    void next();

    // With the text, and a mark under that column, or the word.
    [[nodiscard]] Error wrong(const std::string& what, std::size_t column) const;
    [[nodiscard]] Error wrong(const std::string& what) const { return wrong(what, word_.column); }

    static bool is_quote(char c) { return c == '"' || c == '\''; }

private:
    [[nodiscard]] std::string_view sign_at(std::size_t at) const;
    void next_quoted();

    std::string_view text_;
    std::size_t at_ = 0;
    LimitWord word_;
    bool open_quote_ = false;
};

}  // namespace sla::analysis
