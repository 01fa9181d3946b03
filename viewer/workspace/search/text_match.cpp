#include "viewer/workspace/search/text_match.h"

#include "proto/base/text.h"
#include "proto/wire/utf8.h"
#include "viewer/formats/names.h"
#include "viewer/timeline/value_at.h"

#include <fmt/format.h>
#include <re2/re2.h>

namespace sla::workspace {

namespace {

constexpr std::size_t kMostSaid = 80;  // of a pattern that is none
constexpr const char* kSignsOfNumbers = "0123456789+-.einfa";

}  // namespace

// Of RE2, whose time is in proportion to the text's length whatever the pattern: patterns come with captures of others.
struct TextMatch::Pattern {
    explicit Pattern(std::string_view text)
        : expression(re2::StringPiece(text.data(), text.size()), re2::RE2::CannedOptions::Quiet) {}
    re2::RE2 expression;
};

Result<TextMatch> TextMatch::parse(std::string_view text) {
    TextMatch match;
    if (!is_pattern(text)) {
        match.lower_ = lowered(std::string(text));
        return match;
    }
    const auto pattern = std::make_shared<Pattern>(text.substr(1, text.size() - 2));
    const re2::RE2& expression = pattern->expression;
    if (!expression.ok())
        return invalid_input(fmt::format("'{}' is not a regular expression: {}", wire::to_utf8(text, kMostSaid),
                                         wire::to_utf8(expression.error(), kMostSaid)));
    match.pattern_ = pattern;
    return match;
}

bool TextMatch::is_in(std::string text) const {
    if (!pattern_) return lowered(std::move(text)).find(lower_) != std::string::npos;
    return re2::RE2::PartialMatch(text, pattern_->expression);
}

bool TextMatch::may_match(const store::Lane& lane) const {
    const bool is_in_no_number = !pattern_ && lower_.find_first_not_of(kSignsOfNumbers) != std::string::npos;
    return formats::may_have_text(lane) || !is_in_no_number || matches_name(lane);
}

bool TextMatch::matches(const store::Lane& lane, std::uint64_t index, const store::Event& event) const {
    if (formats::may_have_text(lane)) {
        const std::string text = lane.text(index);
        if (!text.empty() && is_in(text)) return true;
    }
    const std::string value = timeline::value_text(event);
    return !value.empty() && is_in(value);
}

}  // namespace sla::workspace
