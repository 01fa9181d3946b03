#include "viewer/workspace/search/text_match.h"

#include "proto/base/text.h"
#include "viewer/timeline/value_at.h"

#include <regex>

namespace sla::workspace {

namespace {

constexpr std::size_t kLongestRegexSubject = 4096;  // std::regex recurses by character
constexpr const char* kSignsOfNumbers = "0123456789+-.einfa";

}  // namespace

struct TextMatch::Pattern {
    std::regex regex;
};

Result<TextMatch> TextMatch::parse(std::string_view text) {
    TextMatch match;
    if (is_pattern(text)) {
        try {
            const std::string inner(text.substr(1, text.size() - 2));
            match.pattern_ =
                std::make_shared<Pattern>(Pattern{std::regex(inner, std::regex::ECMAScript | std::regex::optimize)});
        } catch (const std::regex_error&) {
            return invalid_input("'" + std::string(text) + "' is not a regular expression");
        }
        return match;
    }
    match.lower_ = lowered(std::string(text));
    return match;
}

bool TextMatch::is_in(std::string text) const {
    if (!pattern_) return lowered(std::move(text)).find(lower_) != std::string::npos;
    if (text.size() > kLongestRegexSubject) text.resize(kLongestRegexSubject);
    return std::regex_search(text, pattern_->regex);
}

bool TextMatch::may_match(const store::Lane& lane) const {
    const bool is_in_no_number = !pattern_ && lower_.find_first_not_of(kSignsOfNumbers) != std::string::npos;
    return lane.has_texts() || !is_in_no_number || matches_name(lane);
}

bool TextMatch::matches(const store::Lane& lane, std::uint64_t index, const store::Event& event) const {
    if (lane.has_texts()) {
        const std::string text = lane.text(index);
        if (!text.empty() && is_in(text)) return true;
    }
    const std::string value = timeline::value_text(event);
    return !value.empty() && is_in(value);
}

}  // namespace sla::workspace
