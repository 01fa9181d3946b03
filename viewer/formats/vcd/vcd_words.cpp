#include "viewer/formats/vcd/vcd_words.h"

#include "viewer/formats/percent.h"

namespace sla::formats {

std::optional<std::string_view> VcdWords::next() {
    constexpr std::string_view kBlanks = " \t\r\v\f";
    std::size_t start = line_.find_first_not_of(kBlanks);
    while (start == std::string_view::npos) {
        const auto line = lines_.next();
        if (!line) return std::nullopt;
        line_ = *line;
        start = line_.find_first_not_of(kBlanks);
    }
    line_.remove_prefix(start);
    const std::size_t end = std::min(line_.find_first_of(kBlanks), line_.size());
    const std::string_view word = line_.substr(0, end);
    line_.remove_prefix(end);
    return word;
}

Result<std::vector<std::string>> VcdWords::up_to_end() {
    constexpr std::size_t kMaxWords = 65536;
    std::vector<std::string> words;
    while (const auto word = next()) {
        if (*word == "$end") return words;
        if (words.size() >= kMaxWords) return wrong("a section has no $end");
        words.emplace_back(*word);
    }
    if (!problem().ok()) return problem().error();
    return wrong("the file ends inside a section; $end is missing");
}

std::optional<VcdBits> read_bits(std::string_view word) {
    VcdBits out;
    std::size_t bits = 0;
    for (const char c : word) {
        if (c != '0' && c != '1' && c != 'h' && c != 'H' && c != 'l' && c != 'L') return std::nullopt;
        out.value = out.value << 1 | (c == '1' || c == 'h' || c == 'H' ? 1 : 0);
        if (bits > 0 || c == '1') ++bits;
    }
    if (word.empty()) return std::nullopt;
    out.wide = bits > 64;
    return out;
}

std::string unescaped(std::string_view word) {
    std::string out;
    for (std::size_t i = 0; i < word.size(); ++i) {
        const bool coded = word[i] == '\\' && i + 3 < word.size() && word[i + 1] == 'x';
        const int byte = coded ? hex_byte(word.substr(i + 2, 2)) : -1;
        out += byte < 0 ? word[i] : static_cast<char>(byte);
        if (byte >= 0) i += 3;
    }
    return out;
}

}  // namespace sla::formats
