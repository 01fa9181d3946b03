#include "tests/layering/source_text.h"

#include <algorithm>
#include <cctype>

namespace sla::layering {
namespace {

// Walks the text once, copying code and blanking the rest.
class Blanker {
public:
    explicit Blanker(std::string_view text) : text_(text), out_(text) {}

    std::string run() {
        while (at_ < text_.size()) step();
        return std::move(out_);
    }

private:
    [[nodiscard]] char peek(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }

    void step() {
        if (peek() == '/' && peek(1) == '/') return blank_line();
        if (peek() == '/' && peek(1) == '*') return blank_to("*/");
        if (peek() == '#' && line_is_blank_so_far()) return blank_line();
        if (peek() == 'R' && peek(1) == '"' && !inside_word()) return blank_raw_string();
        if (peek() == '"' || (peek() == '\'' && !inside_word())) return blank_literal(peek());
        ++at_;
    }

    void blank_one() {
        if (peek() != '\n') out_[at_] = ' ';
        ++at_;
    }

    // To the end of the line, and over lines joined to it by a backslash; a block comment in it may span lines.
    void blank_line() {
        const bool comment = peek() == '/';
        while (at_ < text_.size() && peek() != '\n') {
            if (!comment && peek() == '/' && peek(1) == '*') {
                blank_to("*/");
                continue;
            }
            if (peek() == '\\' && peek(1) == '\n') blank_one();
            blank_one();
        }
    }

    void blank_to(std::string_view end) {
        const std::size_t found = text_.find(end, at_ + 2);
        const std::size_t stop = found == std::string_view::npos ? text_.size() : found + end.size();
        while (at_ < stop) blank_one();
    }

    void blank_raw_string() {
        const std::size_t open = text_.find('(', at_);
        if (open == std::string_view::npos) {
            ++at_;
            return;
        }
        const std::string end = ")" + std::string(text_.substr(at_ + 2, open - at_ - 2)) + "\"";
        blank_to(end);
    }

    void blank_literal(char quote) {
        ++at_;
        while (at_ < text_.size() && peek() != quote && peek() != '\n') {
            if (peek() == '\\') blank_one();
            if (at_ < text_.size()) blank_one();
        }
        if (peek() == quote) ++at_;
    }

    // After a letter or digit: a ' parts the digits of a number, an R ends a longer name.
    [[nodiscard]] bool inside_word() const {
        return at_ > 0 && (std::isalnum(static_cast<unsigned char>(text_[at_ - 1])) != 0 || text_[at_ - 1] == '_');
    }

    [[nodiscard]] bool line_is_blank_so_far() const {
        for (std::size_t i = at_; i > 0 && text_[i - 1] != '\n'; --i) {
            if (std::isspace(static_cast<unsigned char>(out_[i - 1])) == 0) return false;
        }
        return true;
    }

    std::string_view text_;
    std::string out_;
    std::size_t at_ = 0;
};

std::string_view trimmed_left(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t");
    return first == std::string_view::npos ? std::string_view{} : text.substr(first);
}

}  // namespace

std::string blank_non_code(std::string_view text) {
    return Blanker(text).run();
}

std::vector<Include> includes_of(std::string_view text) {
    std::vector<Include> found;
    int line_number = 0;
    while (!text.empty()) {
        ++line_number;
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = trimmed_left(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
        if (!line.starts_with('#')) continue;
        line = trimmed_left(line.substr(1));
        if (!line.starts_with("include")) continue;
        line = trimmed_left(line.substr(7));
        if (line.empty() || (line[0] != '"' && line[0] != '<')) continue;
        const std::size_t close = line.find(line[0] == '"' ? '"' : '>', 1);
        if (close == std::string_view::npos) continue;
        found.push_back({std::string(line.substr(1, close - 1)), line_number, line[0] == '"'});
    }
    return found;
}

int line_count(std::string_view text) {
    const auto newlines = std::count(text.begin(), text.end(), '\n');
    return static_cast<int>(newlines) + (text.empty() || text.back() == '\n' ? 0 : 1);
}

}  // namespace sla::layering
