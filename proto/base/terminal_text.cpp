#include "proto/base/terminal_text.h"

#include "proto/base/text.h"

#include <locale.h>

#include <cwchar>

namespace sla {
namespace {

// The C library knows the characters, of the locale that this thread has meanwhile; C.UTF-8 is always there, and every other
// one is left as the user has it.
class Utf8Locale {
public:
    Utf8Locale() : before_(locale() == nullptr ? nullptr : ::uselocale(locale())) {}
    Utf8Locale(const Utf8Locale&) = delete;
    Utf8Locale& operator=(const Utf8Locale&) = delete;
    ~Utf8Locale() {
        if (before_ != nullptr) ::uselocale(before_);
    }

private:
    static locale_t locale() {
        static const locale_t kUtf8 = ::newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr);
        return kUtf8;
    }
    locale_t before_;
};

struct Character {
    std::size_t bytes = 1;
    std::size_t columns = 1;
};

Character first_character(std::string_view text) {
    std::mbstate_t state{};
    wchar_t code = 0;
    const std::size_t bytes = std::mbrtowc(&code, text.data(), text.size(), &state);
    if (bytes == 0 || bytes > text.size()) return {};
    const int columns = ::wcwidth(code);
    return {bytes, columns < 0 ? 1 : static_cast<std::size_t>(columns)};
}

}  // namespace

std::size_t terminal_columns(std::string_view text) {
    if (is_ascii(text)) return text.size();
    const Utf8Locale utf8;
    std::size_t columns = 0;
    while (!text.empty()) {
        const Character one = first_character(text);
        columns += one.columns;
        text.remove_prefix(one.bytes);
    }
    return columns;
}

std::string_view first_columns(std::string_view text, std::size_t columns) {
    const Utf8Locale utf8;
    std::size_t end = 0;
    while (end < text.size()) {
        const Character one = first_character(text.substr(end));
        if (one.columns > columns) break;
        columns -= one.columns;
        end += one.bytes;
    }
    return text.substr(0, end);
}

std::string_view last_columns(std::string_view text, std::size_t columns) {
    const std::size_t all = terminal_columns(text);
    if (all <= columns) return text;
    // The longest beginning that leaves no more than that: a character that lies across the cut goes with it.
    std::string_view before = first_columns(text, all - columns);
    if (terminal_columns(before) < all - columns) before = first_columns(text, all - columns + 1);
    return text.substr(before.size());
}

}  // namespace sla
