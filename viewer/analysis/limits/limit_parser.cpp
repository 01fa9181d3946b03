#include "viewer/analysis/limits/limit_parser.h"

#include "proto/wire/glob.h"

#include <array>
#include <optional>
#include <utility>

namespace sla::analysis {

namespace {

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

}  // namespace

Result<Limit> LimitParser::limit() {
    Result<void> parsed = figure();
    if (parsed.ok()) parsed = bound();
    if (!parsed.ok()) return parsed.error();
    return limit_;
}

Result<Change> LimitParser::change() {
    Change change;
    Result<void> parsed = figure();
    if (parsed.ok()) parsed = difference(change);
    if (!parsed.ok()) return parsed.error();
    change.figure = limit_;
    change.figure.bound = 0;
    return change;
}

Result<void> LimitParser::channel(std::string& into) {
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

Result<void> LimitParser::figure() {
    limit_.text = std::string(words_.text());
    if (words_.text().size() > kLongestLimit) return invalid_input("a limit of more than 4096 characters");
    next();
    Result<void> parsed = measure();
    if (parsed.ok()) parsed = share();
    if (parsed.ok()) parsed = compare();
    return parsed;
}

Result<void> LimitParser::measure() {
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

Result<void> LimitParser::pair() {
    limit_.measure = Measure::kPair;
    Result<void> begin = channel(limit_.channel);
    if (!begin.ok()) return begin;
    if (!word().is("->"))
        return wrong("'->' and a second channel belong here, or begin with width, gap, rate, count or lost");
    next();
    return channel(limit_.end);
}

Result<void> LimitParser::share() {
    const auto named = word().quoted ? std::nullopt : find(kShares, word().text);
    if (!named) return {};
    if (!limit_.is_time()) return wrong("'" + word().text + "' is for times only");
    limit_.share = *named;
    next();
    return {};
}

Result<void> LimitParser::compare() {
    const auto named = word().sign ? find(kCompares, word().text) : std::nullopt;
    const bool may_have_share = limit_.is_time() && limit_.share == Share::kEvery && !word().sign && !word().over();
    if (!named && may_have_share)
        return wrong("a comparison (< <= > >= == !=) belongs here, or before it one of min max mean p50 p90 p95 p99 p999");
    if (!named) return wrong("a comparison (< <= > >= == !=) belongs here");
    limit_.compare = *named;
    next();
    return {};
}

}  // namespace sla::analysis
