// What a LimitParser reads behind a limit's comparison: times, numbers and changes.
#include "proto/time/duration.h"
#include "viewer/analysis/limits/limit_parser.h"

#include <cmath>
#include <cstdlib>

namespace sla::analysis {

Result<void> LimitParser::bound() {
    LimitWord word = words_.word();
    if (word.over() || word.sign || word.quoted)
        return wrong(limit_.is_time() ? "a time with its unit belongs here, as in 50us" : "a number belongs here");
    next();
    take_unit(word);
    if (!words_.word().over()) return wrong("this is too much");
    return quantity(word);
}

void LimitParser::take_unit(LimitWord& word) {
    const LimitWord& unit = words_.word();
    constexpr const char* kNumber = "+-.0123456789";
    const bool are_both =
        word.text.find_first_not_of(kNumber) == std::string::npos && unit.text.find_first_of(kNumber) == std::string::npos;
    const bool fits = limit_.is_time() ? time::parse_duration("1" + unit.text).ok()
                                       : limit_.measure == Measure::kRate && unit.text == "/s";
    if (!are_both || !fits) return;
    word.text += unit.text;
    next();
}

Result<void> LimitParser::quantity(const LimitWord& word) {
    if (!limit_.is_time()) return number(word);
    const auto ps = time::parse_duration(word.text);
    if (!ps.ok()) return wrong(ps.error().message, word.column);
    limit_.bound = static_cast<double>(*ps);
    return {};
}

Result<void> LimitParser::difference(Change& change) {
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

Result<void> LimitParser::number(const LimitWord& word) {
    std::string digits = word.text;
    const bool rate = limit_.measure == Measure::kRate;
    if (rate && digits.ends_with("/s")) digits.resize(digits.size() - 2);
    char* end = nullptr;
    limit_.bound = std::strtod(digits.c_str(), &end);
    const bool is_hex = digits.size() > 2 && (digits.starts_with("0x") || digits.starts_with("0X"));
    const bool plain = is_hex ? digits.find_first_not_of("0123456789abcdefABCDEF", 2) == std::string::npos
                              : digits.find_first_not_of("0123456789.eE+-") == std::string::npos;
    if (digits.empty() || !plain || end != digits.c_str() + digits.size() || !std::isfinite(limit_.bound)) {
        return wrong("'" + word.text + "' is not a number" + (rate ? " of events a second, as in 100/s" : ""), word.column);
    }
    if (!rate && limit_.bound != std::floor(limit_.bound)) return wrong("a whole number belongs here", word.column);
    return {};
}

}  // namespace sla::analysis
