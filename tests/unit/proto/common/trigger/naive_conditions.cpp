// What each condition says at a moment, out of the whole history.
#include "tests/unit/proto/common/trigger/naive_trigger.h"

#include "proto/wire/event.h"
#include "proto/wire/glob.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sla::trigger {
namespace {

using Kind = Condition::Kind;
constexpr std::size_t kBeginning = std::numeric_limits<std::size_t>::max();  // + 1 is 0
constexpr std::uint64_t kTimeout = 50;

template <typename T>
bool compare(T a, Compare with, T b) {
    switch (with) {
        case Compare::kLess: return a < b;
        case Compare::kLessEqual: return a <= b;
        case Compare::kGreater: return a > b;
        case Compare::kGreaterEqual: return a >= b;
        case Compare::kEqual: return a == b;
        case Compare::kNotEqual: return a != b;
    }
    return false;
}
long double number_of(const NaiveRow& row) {
    if (row.code == SLA_CODE_LEVEL) return row.value != 0 ? 1 : 0;
    switch (wire::value_type_of(row.code)) {
        case wire::ValueType::kSigned: return static_cast<long double>(static_cast<std::int64_t>(row.value));
        case wire::ValueType::kFloat: return static_cast<long double>(wire::as_double(row.value));
        default: return static_cast<long double>(row.value);
    }
}

}  // namespace

NaiveTrigger::Answer NaiveTrigger::happens(const Condition& c, const Moment& m) {
    Answer result = Answer::kNo;
    if (c.kind == Kind::kOr) {
        for (const Condition& part : c.parts) result = std::max(result, happens(part, m));
        return result;
    }
    if (c.kind == Kind::kAnd) {
        for (std::size_t i = 0; i < c.parts.size(); ++i) {
            Answer one = happens(c.parts[i], m);
            for (std::size_t j = 0; j < c.parts.size(); ++j) {
                if (j != i) one = std::min(one, holds(c.parts[j], m));
            }
            result = std::max(result, one);
        }
        return result;
    }
    switch (c.kind) {
        case Kind::kGap: return gap(c, m, true);
        case Kind::kTimer: return timer(c, m, true);
        case Kind::kCounter: return m.is_row ? holds(c, m) : Answer::kNo;
        case Kind::kRate: return rate_happenings_.contains(&c) ? rate_happenings_[&c] : Answer::kNo;
        default: return m.is_row && in(c, rows_[m.seen - 1].channel) ? row_happens(c, m) : Answer::kNo;
    }
}

NaiveTrigger::Answer NaiveTrigger::holds(const Condition& c, const Moment& m) {
    if (c.kind == Kind::kAnd || c.kind == Kind::kOr) {
        Answer result = holds(c.parts[0], m);
        for (const Condition& part : c.parts) {
            result = c.kind == Kind::kAnd ? std::min(result, holds(part, m)) : std::max(result, holds(part, m));
        }
        return result;
    }
    switch (c.kind) {
        case Kind::kGap: return gap(c, m, false);
        case Kind::kTimer: return timer(c, m, false);
        case Kind::kRate: return rate(c, m);
        case Kind::kCounter:
            return compare(static_cast<long double>(counters_[c.a.text]), c.compare, c.low) ? Answer::kYes : Answer::kNo;
        case Kind::kCompare:
        case Kind::kInside: return number_holds(c, m);
        default: return happens(c, m);
    }
}

NaiveTrigger::Answer NaiveTrigger::row_happens(const Condition& c, const Moment& m) {
    const std::size_t i = m.seen - 1;
    if (c.kind == Kind::kDelta) return delta(c, m);
    if (is_loss(i)) return Answer::kUnknown;
    switch (c.kind) {
        case Kind::kWidth: return width(c, m);
        case Kind::kRises:
        case Kind::kFalls:
        case Kind::kChanges: return changed(c, m);
        default: return matches(c, i) ? Answer::kYes : Answer::kNo;
    }
}

bool NaiveTrigger::matches(const Condition& c, std::size_t i) const {
    const wire::Kind kind = wire::kind_of(rows_[i].code);
    switch (c.kind) {
        case Kind::kBegins: return kind == wire::Kind::kBegin;
        case Kind::kEnds: return kind == wire::Kind::kEnd;
        case Kind::kCompare: return has_number(i) && compare(number_of(rows_[i]), c.compare, c.low);
        case Kind::kInside: return has_number(i) && number_of(rows_[i]) >= c.low && number_of(rows_[i]) <= c.high;
        default: return true;
    }
}

NaiveTrigger::Answer NaiveTrigger::number_holds(const Condition& c, const Moment& m) {
    for (std::size_t i = m.seen; i-- > 0;) {
        if (!in(c.a, rows_[i].channel) || !has_number(i)) continue;
        if (missing_after(c, rows_[i].tick, i + 1) || loss_between(c, i, m.seen)) return Answer::kUnknown;
        return matches(c, i) ? Answer::kYes : Answer::kNo;
    }
    return loss_between(c, kBeginning, m.seen) ? Answer::kUnknown : Answer::kNo;
}

NaiveTrigger::Answer NaiveTrigger::changed(const Condition& c, const Moment& m) {
    const std::size_t at = m.seen - 1;
    const NaiveRow& row = rows_[at];
    if (!has_number(at)) return Answer::kNo;
    if (row.code == SLA_CODE_LEVEL && c.kind == Kind::kRises && row.value == 0) return Answer::kNo;
    if (row.code == SLA_CODE_LEVEL && c.kind == Kind::kFalls && row.value != 0) return Answer::kNo;
    for (std::size_t i = at; i-- > 0;) {
        if (rows_[i].channel != row.channel || !has_number(i)) continue;
        if (missing_on(row.channel, rows_[i].tick, i + 1) || loss_on(row.channel, i, at)) return Answer::kUnknown;
        const long double was = number_of(rows_[i]);
        const long double is = number_of(row);
        const bool yes = c.kind == Kind::kRises ? is > was : c.kind == Kind::kFalls ? is < was : is != was;
        return yes ? Answer::kYes : Answer::kNo;
    }
    return loss_on(row.channel, kBeginning, at) ? Answer::kUnknown : Answer::kNo;
}

NaiveTrigger::Answer NaiveTrigger::delta(const Condition& c, const Moment& m) {
    const std::size_t at = m.seen - 1;
    if (!in(c.b, rows_[at].channel)) return Answer::kNo;
    const bool lost_here = is_loss(at);
    const Answer starts_here = is_start(at);
    if (!lost_here && starts_here == Answer::kNo) return Answer::kNo;
    bool lost_a = lost_here && in(c.a, rows_[at].channel);
    bool lost_any = lost_here || starts_here == Answer::kUnknown;
    for (std::size_t i = at; i-- > 0;) {
        const bool a = in(c.a, rows_[i].channel);
        const bool b = in(c.b, rows_[i].channel);
        if (is_loss(i) || is_start(i) == Answer::kUnknown) {
            lost_a |= a;
            lost_any |= a || b;
        } else if (is_start(i) == Answer::kYes && a) {
            if (lost_any || missing_after(c, rows_[i].tick, i + 1)) return Answer::kUnknown;
            return compare(rows_[at].tick - rows_[i].tick, c.compare, naive_ticks(c.time_ps)) ? Answer::kYes : Answer::kNo;
        } else if (is_start(i) == Answer::kYes && b) {
            lost_a |= missing_after(c.a, rows_[i].tick, i + 1);
            break;
        }
    }
    return lost_a ? Answer::kUnknown : Answer::kNo;
}

NaiveTrigger::Answer NaiveTrigger::width(const Condition& c, const Moment& m) {
    switch (wire::kind_of(rows_[m.seen - 1].code)) {
        case wire::Kind::kEnd: return span_width(c, m);
        case wire::Kind::kLevel: return rows_[m.seen - 1].value == 0 ? level_width(c, m) : Answer::kNo;
        default: return Answer::kNo;
    }
}

NaiveTrigger::Answer NaiveTrigger::span_width(const Condition& c, const Moment& m) {
    const std::size_t at = m.seen - 1;
    const NaiveRow& end = rows_[at];
    int ends = 0;
    for (std::size_t i = at; i-- > 0;) {
        if (rows_[i].channel != end.channel || rows_[i].thread != end.thread || is_loss(i)) continue;
        const wire::Kind kind = wire::kind_of(rows_[i].code);
        if (kind == wire::Kind::kEnd) ++ends;
        if (kind != wire::Kind::kBegin || ends-- > 0) continue;
        if (missing_on(end.channel, rows_[i].tick, i + 1) || loss_on(end.channel, i, at)) return Answer::kUnknown;
        return compare(end.tick - rows_[i].tick, c.compare, naive_ticks(c.time_ps)) ? Answer::kYes : Answer::kNo;
    }
    return loss_on(end.channel, kBeginning, at) ? Answer::kUnknown : Answer::kNo;
}

// Back over the high rows to the one that rose: the newest that had a low, a loss or nothing before it. A low in a loss may
// have been followed by a high that is lost.
NaiveTrigger::Answer NaiveTrigger::level_width(const Condition& c, const Moment& m) {
    const std::size_t at = m.seen - 1;
    const std::uint32_t channel = rows_[at].channel;
    std::optional<std::size_t> high;
    bool lost = false;
    bool lost_behind_high = false;
    for (std::size_t i = at; i-- > 0;) {
        if (rows_[i].channel != channel) continue;
        if (is_loss(i)) {
            lost = true;
            if (high) break;  // `high` is the first one behind a loss: it may have risen before
        } else if (rows_[i].code == SLA_CODE_LEVEL) {
            if (rows_[i].value == 0) {
                lost |= missing_on(channel, rows_[i].tick, i + 1);
                break;
            }
            if (!high) lost_behind_high = lost;
            high = i;
            lost = false;
        }
    }
    if (!high) return lost ? Answer::kUnknown : Answer::kNo;
    const bool unsure = lost || lost_behind_high || missing_on(channel, rows_[*high].tick, *high + 1);
    if (unsure) return Answer::kUnknown;
    return compare(rows_[at].tick - rows_[*high].tick, c.compare, naive_ticks(c.time_ps)) ? Answer::kYes : Answer::kNo;
}

NaiveTrigger::Answer NaiveTrigger::gap(const Condition& c, const Moment& m, bool happening) {
    const std::uint64_t limit = naive_ticks(c.time_ps);
    std::optional<std::uint64_t> since;
    std::size_t known_at = 0;  // rows there were when the silence was last restarted
    for (std::size_t i = 0; i < m.seen; ++i) {
        if (!in(c.a, rows_[i].channel)) continue;
        const std::uint64_t seen = is_loss(i) ? std::max(rows_[i].tick, rows_[i].until) : rows_[i].tick;
        since = std::max(since.value_or(0), seen);
        known_at = i + 1;
    }
    for (const OneLevel& level : levels_) {
        const auto mine = [&](const Condition& condition, auto& self) -> bool {
            if (&condition == &c) return true;
            return std::any_of(condition.parts.begin(), condition.parts.end(),
                               [&](const Condition& p) { return self(p, self); });
        };
        const bool of_level = std::any_of(level.branches.begin(), level.branches.end(),
                                          [&](const Branch& b) { return b.test && mine(b.test->condition, mine); });
        if (!of_level || !level.entry) continue;
        since = std::max(since.value_or(0), level.entry->tick);
        known_at = std::max(known_at, level.entry->seen);
    }
    if (m.is_row && happening && in(c.a, rows_[m.seen - 1].channel)) {
        const NaiveRow& row = rows_[m.seen - 1];
        return is_loss(m.seen - 1) && row.until > row.tick && row.until - row.tick > limit ? Answer::kUnknown : Answer::kNo;
    }
    if (!since) return Answer::kNo;
    const bool silent = m.tick > *since + limit;
    const bool now = happening ? !m.is_row && m.tick == *since + limit + 1 : silent;
    if (!now) return Answer::kNo;
    return missing_after(c, *since, known_at) ? Answer::kUnknown : Answer::kYes;
}

NaiveTrigger::Answer NaiveTrigger::rate(const Condition& c, const Moment& m) {
    const std::uint64_t window = naive_ticks(c.time_ps);
    std::uint64_t events = 0;
    std::optional<std::uint64_t> first;
    bool missing = false;
    for (std::size_t i = 0; i < m.seen; ++i) {
        if (!in(c.a, rows_[i].channel)) continue;
        if (!first) first = rows_[i].tick;
        if (is_loss(i))
            missing |= reach_of(i, m.seen) + window >= m.tick;
        else if (rows_[i].tick + window >= m.tick)
            ++events;
    }
    if (!first) return Answer::kNo;
    const bool above = c.compare == Compare::kGreater || c.compare == Compare::kGreaterEqual;
    if (!above && m.tick - *first <= window) return Answer::kNo;
    const long double limit = c.low * static_cast<long double>(c.time_ps) / 1e12L;
    // What is missing can only add: is the answer the same with any number more?
    const bool now = compare(static_cast<long double>(events), c.compare, limit);
    if (!missing) return now ? Answer::kYes : Answer::kNo;
    bool any_yes = now;
    bool any_no = !now;
    for (std::uint64_t more = 1; more < 200; ++more) {
        const bool then = compare(static_cast<long double>(events + more), c.compare, limit);
        any_yes |= then;
        any_no |= !then;
    }
    return any_yes && any_no ? Answer::kUnknown : any_yes ? Answer::kYes : Answer::kNo;
}

NaiveTrigger::Answer NaiveTrigger::timer(const Condition& c, const Moment& m, bool happening) {
    const auto since = timers_.find(c.a.text);
    if (since == timers_.end()) return Answer::kNo;
    const std::uint64_t limit = naive_ticks(c.time_ps);
    const bool yes = compare(m.tick - since->second, c.compare, limit);
    if (!happening || m.is_row) return yes ? Answer::kYes : Answer::kNo;
    if (c.compare != Compare::kGreater && c.compare != Compare::kGreaterEqual) return Answer::kNo;
    const std::uint64_t due = since->second + limit + (c.compare == Compare::kGreater ? 1 : 0);
    return m.tick == std::max(due, std::max(entered_, since->second) + 1) ? Answer::kYes : Answer::kNo;
}

bool NaiveTrigger::in(const Name& name, std::uint32_t channel) const {
    if (name.text.empty()) return false;
    return name.is_glob ? wire::glob_match(name.text, names_[channel]) : name.text == names_[channel];
}

// Somewhere in the text.
bool NaiveTrigger::is_mentioned(std::uint32_t channel) const {
    const auto mentions = [&](const Condition& c, auto& self) -> bool {
        const bool named = c.kind != Kind::kCounter && c.kind != Kind::kTimer && in(c, channel);
        return named || std::any_of(c.parts.begin(), c.parts.end(), [&](const Condition& part) { return self(part, self); });
    };
    for (const OneLevel& level : levels_) {
        for (const Branch& branch : level.branches) {
            if (branch.test && mentions(branch.test->condition, mentions)) return true;
        }
    }
    return false;
}

bool NaiveTrigger::is_loss(std::size_t i) const {
    return rows_[i].code == SLA_CODE_GAP;
}

bool NaiveTrigger::has_number(std::size_t i) const {
    return !is_loss(i) && wire::has_value(rows_[i].code);
}

// A level that may have been what it is before, had not rows been lost, is a start that nobody can tell.
NaiveTrigger::Answer NaiveTrigger::is_start(std::size_t i) const {
    if (is_loss(i) || wire::kind_of(rows_[i].code) == wire::Kind::kEnd) return Answer::kNo;
    if (rows_[i].code != SLA_CODE_LEVEL) return Answer::kYes;
    if (rows_[i].value == 0) return Answer::kNo;
    for (std::size_t j = i; j-- > 0;) {
        if (rows_[j].channel != rows_[i].channel) continue;
        if (is_loss(j)) return Answer::kUnknown;
        if (rows_[j].code != SLA_CODE_LEVEL) continue;
        if (missing_on(rows_[j].channel, rows_[j].tick, j + 1)) return Answer::kUnknown;
        return rows_[j].value == 0 ? Answer::kYes : Answer::kNo;
    }
    return Answer::kYes;
}

std::optional<std::size_t> NaiveTrigger::closing(std::size_t loss, std::size_t seen) const {
    for (std::size_t i = loss + 1; i < seen; ++i) {
        if (rows_[i].channel == rows_[loss].channel && rows_[i].thread == rows_[loss].thread) return i;
    }
    return std::nullopt;
}

std::uint64_t NaiveTrigger::reach_of(std::size_t loss, std::size_t seen) const {
    if (rows_[loss].until != 0) return std::max(rows_[loss].tick, rows_[loss].until);
    const std::uint64_t limit = rows_[loss].tick + kTimeout;
    const auto close = closing(loss, seen);
    return close ? std::min(rows_[*close].tick, limit) : limit;
}

bool NaiveTrigger::missing_on(std::uint32_t channel, std::uint64_t tick, std::size_t seen) const {
    for (std::size_t i = 0; i < seen; ++i) {
        if (is_loss(i) && rows_[i].channel == channel && reach_of(i, seen) > tick) return true;
    }
    return false;
}

bool NaiveTrigger::missing_after(const Condition& c, std::uint64_t tick, std::size_t seen) const {
    return missing_after(c.a, tick, seen) || missing_after(c.b, tick, seen);
}

bool NaiveTrigger::missing_after(const Name& name, std::uint64_t tick, std::size_t seen) const {
    for (std::uint32_t channel = 0; channel < names_.size(); ++channel) {
        if (in(name, channel) && missing_on(channel, tick, seen)) return true;
    }
    return false;
}

bool NaiveTrigger::loss_on(std::uint32_t channel, std::size_t after, std::size_t before) const {
    for (std::size_t i = after + 1; i < before; ++i) {
        if (is_loss(i) && rows_[i].channel == channel) return true;
    }
    return false;
}

bool NaiveTrigger::loss_between(const Condition& c, std::size_t after, std::size_t before) const {
    for (std::uint32_t channel = 0; channel < names_.size(); ++channel) {
        if (in(c, channel) && loss_on(channel, after, before)) return true;
    }
    return false;
}

}  // namespace sla::trigger
