#include "viewer/timeline/lanes/natural_order.h"

namespace sla::timeline {

namespace {

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

}  // namespace

bool natural_less(const std::string& a, const std::string& b) {
    std::size_t i = 0;
    std::size_t j = 0;
    while (i < a.size() && j < b.size()) {
        if (is_digit(a[i]) && is_digit(b[j])) {
            const auto digits = [](const std::string& text, std::size_t& at) {
                while (at < text.size() && text[at] == '0') ++at;
                const std::size_t begin = at;
                while (at < text.size() && is_digit(text[at])) ++at;
                return text.substr(begin, at - begin);
            };
            const std::string left = digits(a, i);
            const std::string right = digits(b, j);
            if (left.size() != right.size()) return left.size() < right.size();
            if (left != right) return left < right;
            continue;
        }
        if (a[i] != b[j]) return static_cast<unsigned char>(a[i]) < static_cast<unsigned char>(b[j]);
        ++i;
        ++j;
    }
    return a.size() - i < b.size() - j;
}

}  // namespace sla::timeline
