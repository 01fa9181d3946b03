#include "viewer/analysis/limits/limit.h"

#include "viewer/analysis/filter/event_filter.h"
#include "viewer/analysis/limits/limit_parser.h"

#include <optional>
#include <string>
#include <utility>

namespace sla::analysis {

namespace {

// Where the last comparison outside of quotes begins.
std::size_t last_comparison(std::string_view text) {
    std::size_t last = std::string_view::npos;
    char quote = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (quote != 0) {
            if (text[at] == quote) quote = 0;
        } else if (LimitWords::is_quote(text[at])) {
            quote = text[at];
        } else if (std::string_view("<>=!").find(text[at]) != std::string_view::npos) {
            last = at;
            if (at + 1 < text.size() && text[at + 1] == '=') ++at;
        }
    }
    return last;
}

// `count EXPR CMP N`, `rate EXPR CMP N`; nothing when it is neither.
std::optional<Result<Limit>> limit_on_filter(std::string_view text) {
    const std::size_t begin = text.find_first_not_of(" \t");
    const std::size_t bound = last_comparison(text);
    if (begin == std::string_view::npos || bound == std::string_view::npos) return std::nullopt;
    const std::size_t end = text.find_first_of(" \t(", begin);
    const std::string_view measure = text.substr(begin, end - begin);
    if ((measure != "count" && measure != "rate") || end >= bound) return std::nullopt;
    const std::string_view filter = text.substr(end, bound - end);
    if (const auto parsed = EventFilter::parse(filter); !parsed.ok()) return Result<Limit>(parsed.error());
    auto limit = LimitParser(std::string(measure) + " * " + std::string(text.substr(bound))).limit();
    if (!limit.ok()) return limit;
    limit->text = std::string(text);
    limit->channel.clear();
    limit->filter = std::string(filter);
    return limit;
}

}  // namespace

Result<Limit> parse_limit(std::string_view text) {
    auto limit = LimitParser(text).limit();
    if (limit.ok() || text.size() > kLongestLimit) return limit;
    // As a limit on a channel it makes no sense: it may be one on a filter. What neither is, is reported as the former.
    auto filtered = limit_on_filter(text);
    return filtered && filtered->ok() ? std::move(*filtered) : limit;
}

Result<Change> parse_change(std::string_view text) {
    return LimitParser(text).change();
}

}  // namespace sla::analysis
