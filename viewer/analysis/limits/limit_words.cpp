#include "viewer/analysis/limits/limit_words.h"

namespace sla::analysis {

namespace {

bool is_blank(char c) {
    return c == ' ' || c == '\t';
}

}  // namespace

Error LimitWords::wrong(const std::string& what, std::size_t column) const {
    std::string message = "limit, column " + std::to_string(column + 1) + ": " + what + "\n  ";
    message += text_;
    message += "\n  " + std::string(column, ' ') + "^";
    return invalid_input(std::move(message));
}

// A sign that begins here, or nothing.
std::string_view LimitWords::sign_at(std::size_t at) const {
    const std::string_view rest = text_.substr(at);
    if (rest.starts_with("->")) return "->";
    for (const auto& [name, value] : kCompares) {
        if (rest.starts_with(name)) return name;
    }
    return {};
}

void LimitWords::next() {
    while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
    word_ = {"", at_, false, false};
    if (at_ >= text_.size()) return;
    if (is_quote(text_[at_])) return next_quoted();
    if (const std::string_view sign = sign_at(at_); !sign.empty()) {
        word_.text = sign;
        word_.sign = true;
        at_ += sign.size();
        return;
    }
    while (at_ < text_.size() && !is_blank(text_[at_]) && !is_quote(text_[at_]) && sign_at(at_).empty()) {
        word_.text += text_[at_++];
    }
}

bool LimitWords::is_tilde_next() const {
    const std::size_t at = text_.find_first_not_of(" \t", at_);
    return at != std::string_view::npos && text_[at] == '~' && at + 1 < text_.size() && is_blank(text_[at + 1]);
}

void LimitWords::next_quoted() {
    const std::size_t end = text_.find(text_[at_], at_ + 1);
    word_.quoted = true;
    open_quote_ = end == std::string_view::npos;
    word_.text = std::string(text_.substr(at_ + 1, open_quote_ ? end : end - at_ - 1));
    at_ = open_quote_ ? text_.size() : end + 1;
}

}  // namespace sla::analysis
