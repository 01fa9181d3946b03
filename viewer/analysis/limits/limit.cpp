#include "viewer/analysis/limits/limit.h"

#include "proto/time/duration.h"
#include "proto/wire/glob.h"
#include "viewer/analysis/filter/event_filter.h"
#include "viewer/analysis/limits/limit_words.h"

#include <array>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <utility>

namespace sla::analysis {

namespace {

constexpr std::size_t kLongestLimit = 4096;

constexpr std::array<std::pair<std::string_view, Share>, 8> kShares = {{{"min", Share::kMin},
                                                                        {"max", Share::kMax},
                                                                        {"mean", Share::kMean},
                                                                        {"p50", Share::kP50},
                                                                        {"p90", Share::kP90},
                                                                        {"p95", Share::kP95},
                                                                        {"p99", Share::kP99},
                                                                        {"p999", Share::kP999}}};

template <typename Pairs>
auto find(const Pairs& pairs, std::string_view word) -> std::optional<decltype(pairs[0].second)> {
    for (const auto& [name, value] : pairs) {
        if (name == word) return value;
    }
    return std::nullopt;
}

class Parser {
public:
    explicit Parser(std::string_view text) : words_(text) {}

    Result<Limit> limit() {
        Result<void> parsed = figure();
        if (parsed.ok()) parsed = bound();
        if (!parsed.ok()) return parsed.error();
        return limit_;
    }
    Result<Change> change() {
        Change change;
        Result<void> parsed = figure();
        if (parsed.ok()) parsed = difference(change);
        if (!parsed.ok()) return parsed.error();
        change.figure = limit_;
        change.figure.bound = 0;
        return change;
    }

private:
    [[nodiscard]] Error wrong(const std::string& what, std::size_t column) const { return words_.wrong(what, column); }
    [[nodiscard]] Error wrong(const std::string& what) const { return words_.wrong(what); }
    [[nodiscard]] const LimitWord& word() const { return words_.word(); }
    void next() { words_.next(); }

    Result<void> channel(std::string& into) {
        if (words_.is_quote_open()) return wrong("this quotation mark has no end");
        const bool is_pattern = word().is("channel") && words_.is_tilde_next();  // channel ~ PATTERN, as filters say it
        if (is_pattern) {
            next();
            next();
        }
        if (word().over() || word().sign || word().text.empty()) return wrong("a channel's name belongs here");
        into = word().quoted && !is_pattern ? wire::glob_of_name(word().text) : word().text;
        next();
        return {};
    }

    // All but the bound.
    Result<void> figure() {
        limit_.text = std::string(words_.text());
        if (words_.text().size() > kLongestLimit) return invalid_input("a limit of more than 4096 characters");
        next();
        Result<void> parsed = measure();
        if (parsed.ok()) parsed = share();
        if (parsed.ok()) parsed = compare();
        return parsed;
    }

    Result<void> measure() {
        constexpr std::array<std::pair<std::string_view, Measure>, 5> kMeasures = {{{"width", Measure::kWidth},
                                                                                    {"gap", Measure::kGap},
                                                                                    {"rate", Measure::kRate},
                                                                                    {"count", Measure::kCount},
                                                                                    {"lost", Measure::kLost}}};
        const auto named = word().quoted ? std::nullopt : find(kMeasures, word().text);
        if (!named) return pair();
        limit_.measure = *named;
        next();
        if (limit_.measure == Measure::kLost && word().sign) return {};
        return channel(limit_.channel);
    }
    Result<void> pair() {
        limit_.measure = Measure::kPair;
        Result<void> begin = channel(limit_.channel);
        if (!begin.ok()) return begin;
        if (!word().is("->"))
            return wrong("'->' and a second channel belong here, or begin with width, gap, rate, count or lost");
        next();
        return channel(limit_.end);
    }

    Result<void> share() {
        const auto named = word().quoted ? std::nullopt : find(kShares, word().text);
        if (!named) return {};
        if (!limit_.is_time()) return wrong("'" + word().text + "' is for times only");
        limit_.share = *named;
        next();
        return {};
    }

    Result<void> compare() {
        const auto named = word().sign ? find(kCompares, word().text) : std::nullopt;
        const bool may_have_share = limit_.is_time() && limit_.share == Share::kEvery && !word().sign && !word().over();
        if (!named && may_have_share)
            return wrong(
                "a comparison (< <= > >= == !=) belongs here, or before it one of min max mean p50 p90 p95 p99 p999");
        if (!named) return wrong("a comparison (< <= > >= == !=) belongs here");
        limit_.compare = *named;
        next();
        return {};
    }

    Result<void> bound() {
        LimitWord word = words_.word();
        if (word.over() || word.sign || word.quoted)
            return wrong(limit_.is_time() ? "a time with its unit belongs here, as in 50us" : "a number belongs here");
        next();
        take_unit(word);
        if (!words_.word().over()) return wrong("this is too much");
        return quantity(word);
    }
    // "1 ms" is 1ms and "100 /s" is 100/s, as in triggers and of options.
    void take_unit(LimitWord& word) {
        const LimitWord& unit = words_.word();
        constexpr const char* kNumber = "+-.0123456789";
        const bool are_both = word.text.find_first_not_of(kNumber) == std::string::npos &&
                              unit.text.find_first_of(kNumber) == std::string::npos;
        const bool fits = limit_.is_time() ? time::parse_duration("1" + unit.text).ok()
                                           : limit_.measure == Measure::kRate && unit.text == "/s";
        if (!are_both || !fits) return;
        word.text += unit.text;
        next();
    }
    Result<void> quantity(const LimitWord& word) {
        if (!limit_.is_time()) return number(word);
        const auto ps = time::parse_duration(word.text);
        if (!ps.ok()) return wrong(ps.error().message, word.column);
        limit_.bound = static_cast<double>(*ps);
        return {};
    }
    // Of the other capture's figure.
    Result<void> difference(Change& change) {
        if (limit_.is_time() && limit_.share == Share::kEvery)
            return wrong("which figure is compared belongs before this: min, max, mean, p50, p90, p95, p99 or p999");
        LimitWord word = words_.word();
        const bool more = word.text.starts_with('+');
        const bool less = word.text.starts_with('-');
        const bool share = word.text.ends_with('%');
        if (word.over() || word.sign || word.quoted || (!more && !less && !share))
            return wrong(limit_.is_time() ? "a change belongs here, as in +10%, 110% or +5us"
                                          : "a change belongs here, as in +10%, 110% or +5");
        next();
        take_unit(word);
        if (!words_.word().over()) return wrong("this is too much");
        if (more || less) word.text.erase(0, 1);
        if (!share) {
            Result<void> parsed = quantity(word);
            change.amount = less ? -limit_.bound : limit_.bound;
            return parsed;
        }
        char* end = nullptr;
        const double percent = std::strtod(word.text.c_str(), &end);
        const bool plain = word.text.find_first_not_of("0123456789.%") == std::string::npos;
        if (!plain || word.text.size() < 2 || end + 1 != word.text.c_str() + word.text.size())
            return wrong("'" + word.text + "' is not a number of percent, as in 10%", word.column);
        change.factor = more ? 1 + percent / 100 : less ? 1 - percent / 100 : percent / 100;
        if (change.factor < 0) return wrong("nothing is left of what is less by more than 100%", word.column);
        return {};
    }
    Result<void> number(const LimitWord& word) {
        std::string digits = word.text;
        const bool rate = limit_.measure == Measure::kRate;
        if (rate && digits.ends_with("/s")) digits.resize(digits.size() - 2);
        char* end = nullptr;
        limit_.bound = std::strtod(digits.c_str(), &end);
        const bool is_hex = digits.size() > 2 && (digits.starts_with("0x") || digits.starts_with("0X"));
        const bool plain = is_hex ? digits.find_first_not_of("0123456789abcdefABCDEF", 2) == std::string::npos
                                  : digits.find_first_not_of("0123456789.eE+-") == std::string::npos;
        if (digits.empty() || !plain || end != digits.c_str() + digits.size() || !std::isfinite(limit_.bound)) {
            return wrong("'" + word.text + "' is not a number" + (rate ? " of events a second, as in 100/s" : ""),
                         word.column);
        }
        if (!rate && limit_.bound != std::floor(limit_.bound)) return wrong("a whole number belongs here", word.column);
        return {};
    }

    LimitWords words_;
    Limit limit_;
};

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
    auto limit = Parser(std::string(measure) + " * " + std::string(text.substr(bound))).limit();
    if (!limit.ok()) return limit;
    limit->text = std::string(text);
    limit->channel.clear();
    limit->filter = std::string(filter);
    return limit;
}

}  // namespace

Result<Limit> parse_limit(std::string_view text) {
    auto limit = Parser(text).limit();
    if (limit.ok() || text.size() > kLongestLimit) return limit;
    // As a limit on a channel it makes no sense: it may be one on a filter. What neither is, is reported as the former.
    auto filtered = limit_on_filter(text);
    return filtered && filtered->ok() ? std::move(*filtered) : limit;
}

Result<Change> parse_change(std::string_view text) {
    return Parser(text).change();
}

}  // namespace sla::analysis
