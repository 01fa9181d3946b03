#include "viewer/formats/table/json_objects.h"

namespace sla::formats {

std::optional<std::string_view> JsonObjects::next() {
    if (problem_ || !find_begin() || !take_to_end()) return std::nullopt;
    return object_;
}

bool JsonObjects::fill() {
    if (!left_.empty()) return true;
    const auto bytes = lines_.next_bytes();
    left_ = bytes.value_or(std::string_view());
    return bytes.has_value();
}

bool JsonObjects::fail(const char* what) {
    problem_ = wrong_in_line(number_, what);
    return false;
}

// Between two objects stand the brackets and commas of a list, or nothing.
bool JsonObjects::find_begin() {
    while (fill()) {
        const char next = left_.front();
        number_ = line_;
        if (next == '{') return true;
        if (std::string_view(" \t\r\n,[]").find(next) == std::string_view::npos)
            return fail("it is no object of names with numbers and texts");
        if (next == '\n') ++line_;
        left_.remove_prefix(1);
    }
    return false;
}

// Braces within texts are none.
bool JsonObjects::take_to_end() {
    object_.clear();
    std::size_t depth = 0;
    bool in_text = false;
    bool is_escaped = false;
    while (fill()) {
        std::size_t taken = 0;
        while (taken < left_.size()) {
            const char c = left_[taken++];
            if (c == '\n') ++line_;
            if (is_escaped) {
                is_escaped = false;
            } else if (in_text) {
                in_text = c != '"';
                is_escaped = c == '\\';
            } else if (c == '"') {
                in_text = true;
            } else if (c == '{') {
                ++depth;
            } else if (c == '}' && --depth == 0) {
                break;
            }
        }
        object_.append(left_.substr(0, taken));
        left_.remove_prefix(taken);
        if (object_.size() > Lines::kLongest)
            return fail("an object longer than 1 MB begins here; this is no text of that kind");
        if (depth == 0) return true;
    }
    return lines_.problem().ok() && fail("the object that begins here has no end");
}

}  // namespace sla::formats
