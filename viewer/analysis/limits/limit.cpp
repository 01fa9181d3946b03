#include "viewer/analysis/limits/limit.h"

#include "proto/time/duration.h"
#include "viewer/analysis/filter/event_filter.h"

#include <array>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <utility>

namespace sla::analysis {

namespace {

constexpr std::size_t kLongestLimit = 4096;

struct Word {
    std::string text;
    std::size_t column = 0;  // from 0
    bool quoted = false;
    bool sign = false;  // -> or a comparison

    [[nodiscard]] bool is(std::string_view what) const { return !quoted && text == what; }
    [[nodiscard]] bool over() const { return text.empty() && !quoted; }
};

constexpr std::array<std::pair<std::string_view, Compare>, 6> kCompares = {{{"<=", Compare::kLessEqual},
                                                                            {">=", Compare::kGreaterEqual},
                                                                            {"==", Compare::kEqual},
                                                                            {"!=", Compare::kNotEqual},
                                                                            {"<", Compare::kLess},
                                                                            {">", Compare::kGreater}}};
constexpr std::array<std::pair<std::string_view, Share>, 7> kShares = {{{"min", Share::kMin},
                                                                        {"max", Share::kMax},
                                                                        {"mean", Share::kMean},
                                                                        {"p50", Share::kP50},
                                                                        {"p90", Share::kP90},
                                                                        {"p99", Share::kP99},
                                                                        {"p999", Share::kP999}}};

template <typename Pairs>
auto find(const Pairs& pairs, std::string_view word) -> std::optional<decltype(pairs[0].second)> {
    for (const auto& [name, value] : pairs) {
        if (name == word) return value;
    }
    return std::nullopt;
}

bool is_blank(char c) {
    return c == ' ' || c == '\t';
}

bool is_quote(char c) {
    return c == '"' || c == '\'';
}

class Parser {
public:
    explicit Parser(std::string_view text) : text_(text) {}

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
    [[nodiscard]] Error wrong(const std::string& what, std::size_t column) const {
        std::string message = "limit, column " + std::to_string(column + 1) + ": " + what + "\n  ";
        message += text_;
        message += "\n  " + std::string(column, ' ') + "^";
        return invalid_input(std::move(message));
    }
    [[nodiscard]] Error wrong(const std::string& what) const { return wrong(what, word_.column); }

    // A sign that begins here, or nothing.
    [[nodiscard]] std::string_view sign_at(std::size_t at) const {
        const std::string_view rest = text_.substr(at);
        if (rest.starts_with("->")) return "->";
        for (const auto& [name, value] : kCompares) {
            if (rest.starts_with(name)) return name;
        }
        return {};
    }

    void next() {
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
    [[nodiscard]] bool is_tilde_next() const {
        const std::size_t at = text_.find_first_not_of(" \t", at_);
        return at != std::string_view::npos && text_[at] == '~' && at + 1 < text_.size() && is_blank(text_[at + 1]);
    }
    void next_quoted() {
        const std::size_t end = text_.find(text_[at_], at_ + 1);
        word_.quoted = true;
        open_quote_ = end == std::string_view::npos;
        word_.text = std::string(text_.substr(at_ + 1, open_quote_ ? end : end - at_ - 1));
        at_ = open_quote_ ? text_.size() : end + 1;
    }

    Result<void> channel(std::string& into) {
        if (open_quote_) return wrong("this quotation mark has no end");
        if (word_.is("channel") && is_tilde_next()) {  // channel ~ PATTERN, as filters say it
            next();
            next();
        }
        if (word_.over() || word_.sign || word_.text.empty()) return wrong("a channel's name belongs here");
        into = word_.text;
        next();
        return {};
    }

    // All but the bound.
    Result<void> figure() {
        limit_.text = std::string(text_);
        if (text_.size() > kLongestLimit) return invalid_input("a limit of more than 4096 characters");
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
        const auto named = word_.quoted ? std::nullopt : find(kMeasures, word_.text);
        if (!named) return pair();
        limit_.measure = *named;
        next();
        if (limit_.measure == Measure::kLost && word_.sign) return {};
        return channel(limit_.channel);
    }
    Result<void> pair() {
        limit_.measure = Measure::kPair;
        Result<void> begin = channel(limit_.channel);
        if (!begin.ok()) return begin;
        if (!word_.is("->"))
            return wrong("'->' and a second channel belong here, or begin with width, gap, rate, count or lost");
        next();
        return channel(limit_.end);
    }

    Result<void> share() {
        const auto named = word_.quoted ? std::nullopt : find(kShares, word_.text);
        if (!named) return {};
        if (!limit_.is_time()) return wrong("'" + word_.text + "' is for times only");
        limit_.share = *named;
        next();
        return {};
    }

    Result<void> compare() {
        const auto named = word_.sign ? find(kCompares, word_.text) : std::nullopt;
        if (!named) return wrong("a comparison (< <= > >= == !=) belongs here");
        limit_.compare = *named;
        next();
        return {};
    }

    Result<void> bound() {
        const Word word = word_;
        if (word.over() || word.sign || word.quoted)
            return wrong(limit_.is_time() ? "a time with its unit belongs here, as in 50us" : "a number belongs here");
        next();
        if (!word_.over()) return wrong("this is too much");
        return quantity(word);
    }
    Result<void> quantity(const Word& word) {
        if (!limit_.is_time()) return number(word);
        const auto ps = time::parse_duration(word.text);
        if (!ps.ok()) return wrong(ps.error().message, word.column);
        limit_.bound = static_cast<double>(*ps);
        return {};
    }
    // Of the other capture's figure.
    Result<void> difference(Change& change) {
        if (limit_.is_time() && limit_.share == Share::kEvery)
            return wrong("which figure is compared belongs before this: min, max, mean, p50, p90, p99 or p999");
        Word word = word_;
        const bool more = word.text.starts_with('+');
        const bool less = word.text.starts_with('-');
        const bool share = word.text.ends_with('%');
        if (word.over() || word.sign || word.quoted || (!more && !less && !share))
            return wrong(limit_.is_time() ? "a change belongs here, as in +10%, 110% or +5us"
                                          : "a change belongs here, as in +10%, 110% or +5");
        next();
        if (!word_.over()) return wrong("this is too much");
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
    Result<void> number(const Word& word) {
        std::string digits = word.text;
        const bool rate = limit_.measure == Measure::kRate;
        if (rate && digits.ends_with("/s")) digits.resize(digits.size() - 2);
        char* end = nullptr;
        limit_.bound = std::strtod(digits.c_str(), &end);
        const bool plain = digits.find_first_not_of("0123456789.eE+-") == std::string::npos;
        if (digits.empty() || !plain || end != digits.c_str() + digits.size() || !std::isfinite(limit_.bound)) {
            return wrong("'" + word.text + "' is not a number" + (rate ? " of events a second, as in 100/s" : ""),
                         word.column);
        }
        if (!rate && limit_.bound != std::floor(limit_.bound)) return wrong("a whole number belongs here", word.column);
        return {};
    }

    std::string_view text_;
    std::size_t at_ = 0;
    Word word_;
    bool open_quote_ = false;
    Limit limit_;
};

// Where the last comparison outside of quotes begins.
std::size_t last_comparison(std::string_view text) {
    std::size_t last = std::string_view::npos;
    char quote = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (quote != 0) {
            if (text[at] == quote) quote = 0;
        } else if (is_quote(text[at])) {
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
