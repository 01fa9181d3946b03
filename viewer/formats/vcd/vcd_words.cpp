#include "viewer/formats/vcd/vcd_words.h"

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

}  // namespace sla::formats
