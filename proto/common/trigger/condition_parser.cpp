#include "proto/common/trigger/condition_parser.h"

#include "proto/time/picoseconds.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace sla::trigger {
namespace {

using Kind = Condition::Kind;

constexpr const char* kWhatIsACondition =
    "expected a condition: a channel (rises, falls, changes, begins, ends, > 5, in 1 .. 9), delta, width, gap, rate or '('";

}  // namespace

std::uint64_t events_needed(long double number, bool or_equal) {
    const long double whole = or_equal ? std::ceil(number) : std::floor(number) + 1;
    return whole <= 0 ? 0 : static_cast<std::uint64_t>(std::min(whole, 1e18L));
}

long double rate_limit(const Condition& rate) {
    return rate.low * static_cast<long double>(rate.time_ps) / static_cast<long double>(time::kPicosecondsPerSecond);
}

Stage ConditionParser::stage() {
    Stage stage;
    const std::size_t begin = reader_.token().at;
    stage.count = reader_.count();
    stage.condition = any_of();
    if (reader_.take_word("within")) {
        stage.within_ps = reader_.duration("behind 'within'");
        remember(stage.count, begin);
    }
    return stage;
}

Condition ConditionParser::any_of() {
    Condition first = all_of();
    if (!reader_.token().is_word("or")) return first;
    Condition any = one(Kind::kOr);
    any.parts.push_back(std::move(first));
    while (reader_.take_word("or")) any.parts.push_back(all_of());
    return any;
}

Condition ConditionParser::all_of() {
    Condition first = single();
    if (!reader_.token().is_word("and")) return first;
    Condition all = one(Kind::kAnd);
    all.parts.push_back(std::move(first));
    while (reader_.take_word("and")) all.parts.push_back(single());
    return all;
}

Condition ConditionParser::one(Kind kind) {
    Condition condition;
    condition.kind = kind;
    return condition;
}

Condition ConditionParser::single() {
    if (++conditions_ > kMaxConditions) {
        reader_.fail_at(reader_.token().at, "more than " + std::to_string(kMaxConditions) + " conditions");
        return {};
    }
    if (reader_.take_symbol("(")) return nested();
    if (reader_.take_word("delta")) return delta();
    if (reader_.take_word("width")) return width();
    if (reader_.take_word("gap")) return gap();
    if (reader_.take_word("rate")) return rate();
    if (in_levels_ && reader_.take_word("counter")) return counter();
    if (in_levels_ && reader_.take_word("timer")) return timer();
    if (reader_.token().kind != Token::Kind::kName) {
        reader_.fail(kWhatIsACondition);
        return {};
    }
    return event();
}

Condition ConditionParser::nested() {
    if (++depth_ > kMaxDepth) {
        reader_.fail_at(reader_.token().at, "more than " + std::to_string(kMaxDepth) + " parentheses inside each other");
        return {};
    }
    Condition inner = any_of();
    reader_.want_symbol(")", "expected ')'");
    --depth_;
    return inner;
}

Condition ConditionParser::event() {
    Condition condition = one(Kind::kAny);
    const bool by_field = reader_.is_channel_field();
    condition.a = reader_.channel("a channel");
    if (reader_.take_word("rises"))
        condition.kind = Kind::kRises;
    else if (reader_.take_word("falls"))
        condition.kind = Kind::kFalls;
    else if (reader_.take_word("changes"))
        condition.kind = Kind::kChanges;
    else if (reader_.take_word("begins"))
        condition.kind = Kind::kBegins;
    else if (reader_.take_word("ends"))
        condition.kind = Kind::kEnds;
    else if (reader_.token().is_word("in") || reader_.token().kind == Token::Kind::kSymbol)
        take_range(condition);
    if (by_field) more_of_the_event(condition);
    return condition;
}

// `in A .. B` or `CMP N`, if one stands there.
void ConditionParser::take_range(Condition& condition) {
    if (reader_.take_word("in")) {
        condition.kind = Kind::kInside;
        const std::size_t at = reader_.token().at;
        condition.low = reader_.number("behind 'in', as in 1 .. 9");
        reader_.want_symbol("..", "expected '..' and the upper end of the range");
        condition.high = reader_.number("behind '..'");
        if (condition.low > condition.high) reader_.fail_at(at, "nothing is in this range: its lower end comes first");
    } else if (const auto compare = reader_.take_compare()) {
        condition.kind = Kind::kCompare;
        condition.compare = *compare;
        condition.low = reader_.number("behind the comparison");
    }
}

// channel ~ 'net.*' and value > 100: fields of the one event, as in a filter.
void ConditionParser::more_of_the_event(Condition& condition) {
    while (reader_.token().is_word("and")) {
        const TokenReader before = reader_;
        reader_.step();
        if (take_field(condition)) continue;
        reader_ = before;
        return;
    }
}

// False: what stands here is another condition.
bool ConditionParser::take_field(Condition& condition) {
    const Token field = reader_.token();
    const bool is_value = field.is_word("value");
    const bool is_kind = field.is_word("kind");
    const bool is_other =
        field.is_word("text") || field.is_word("thread") || field.is_word("source") || field.is_word("tick");
    if (!is_value && !is_kind && !is_other) return false;
    reader_.step();
    TokenReader ahead = reader_;
    if (!ahead.take_word("in") && !ahead.take_symbol("~") && !ahead.take_compare()) return false;
    if (is_other) {
        reader_.fail_at(field.at,
                        "a trigger looks at channel, value and kind; '" + field.text + "' is for searches and filters");
    } else if (condition.kind != Kind::kAny) {
        reader_.fail_at(
            field.at,
            "one condition on value or kind is all that a trigger takes of an event; a range is 'value in 1 .. 9'");
    } else if (is_value) {
        take_range(condition);
        if (condition.kind == Kind::kAny) reader_.fail("expected a comparison with a number");
    } else {
        const bool is_equal = reader_.take_symbol("==") || reader_.take_symbol("=");
        if (is_equal && reader_.take_word("begin")) {
            condition.kind = Kind::kBegins;
        } else if (is_equal && reader_.take_word("end")) {
            condition.kind = Kind::kEnds;
        } else {
            reader_.fail("expected 'kind == begin' or 'kind == end': a trigger knows of these two");
        }
    }
    return true;
}

Condition ConditionParser::delta() {
    Condition condition = one(Kind::kDelta);
    condition.a = reader_.channel("the channel that 'delta' begins at");
    reader_.want_symbol("->", "expected '->' and the channel that 'delta' ends at");
    condition.b = reader_.channel("the channel that 'delta' ends at");
    condition.compare = reader_.compare("and a time");
    condition.time_ps = reader_.duration("behind the comparison");
    return condition;
}

Condition ConditionParser::width() {
    Condition condition = one(Kind::kWidth);
    condition.a = reader_.channel("the channel whose spans 'width' measures");
    condition.compare = reader_.compare("and a time");
    condition.time_ps = reader_.duration("behind the comparison");
    return condition;
}

Condition ConditionParser::gap() {
    Condition condition = one(Kind::kGap);
    condition.a = reader_.channel("the channel that 'gap' watches");
    reader_.want_symbol(">", "expected '>' and a time: a gap is a silence longer than that");
    condition.time_ps = reader_.duration("behind '>'");
    return condition;
}

Condition ConditionParser::rate() {
    Condition condition = one(Kind::kRate);
    condition.a = reader_.channel("the channel whose 'rate' is meant");
    condition.compare = reader_.compare("and a number, as in > 1000 /s");
    const std::size_t at = reader_.token().at;
    condition.low = reader_.number("of events a second");
    reader_.want_symbol("/", "expected '/s'");
    if (!reader_.take_word("s")) reader_.fail("expected 's': rates are per second");
    condition.time_ps = time::kPicosecondsPerSecond;
    if (reader_.take_word("over")) condition.time_ps = reader_.duration("behind 'over'");
    if (condition.low < 0) reader_.fail_at(at, "a rate is never negative");
    if (condition.time_ps == 0) reader_.fail_at(at, "a rate over no time is nothing");
    remember(events_needed(rate_limit(condition), false), at);
    return condition;
}

void ConditionParser::remember(std::uint64_t events, std::size_t at) {
    remembered_ += std::min(events, kMaxRemembered + 1);
    if (remembered_ <= kMaxRemembered) return;
    reader_.fail_at(at, "a trigger remembers at most " + std::to_string(kMaxRemembered) +
                            " events: count fewer, or ask for a rate over a shorter time, as in '/s over 1ms'");
}

Condition ConditionParser::counter() {
    Condition condition = one(Kind::kCounter);
    condition.a.text = reader_.name("a counter's name");
    condition.compare = reader_.compare("and a number");
    condition.low = reader_.number("behind the comparison");
    return condition;
}

Condition ConditionParser::timer() {
    Condition condition = one(Kind::kTimer);
    condition.a.text = reader_.name("a timer's name");
    const std::size_t at = reader_.token().at;
    condition.compare = reader_.compare("and a time");
    condition.time_ps = reader_.duration("behind the comparison");
    if (condition.compare == Compare::kEqual || condition.compare == Compare::kNotEqual) {
        reader_.fail_at(at, "a timer is compared with < <= > or >=");
    }
    return condition;
}

}  // namespace sla::trigger
