#include "tests/unit/proto/common/trigger/naive_trigger.h"

#include "proto/wire/event.h"
#include "proto/wire/glob.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sla::trigger {
namespace {

using Kind = Condition::Kind;

}  // namespace

NaiveTrigger::NaiveTrigger(const Trigger& trigger, std::vector<std::string> channel_names)
    : names_(std::move(channel_names)) {
    if (const auto* expression = std::get_if<Expression>(&trigger)) {
        is_expression_ = true;
        for (std::size_t i = 0; i < expression->stages.size(); ++i) {
            const Stage& stage = expression->stages[i];
            const bool last = i + 1 == expression->stages.size();
            Action action{last ? Action::Kind::kTrigger : Action::Kind::kGoto, std::to_string(i + 1), 1};
            OneLevel level;
            level.branches.push_back({stage, {action}});
            if (i > 0 && stage.within_ps) level.timeout = naive_ticks(*stage.within_ps);
            level.sliding = i == 0;
            levels_.push_back(level);
        }
    } else {
        const auto& sequencer = std::get<Sequencer>(trigger);
        for (const Level& from : sequencer.levels) {
            OneLevel level;
            level.branches = from.branches;
            for (Branch& branch : level.branches) {
                for (Action& action : branch.actions) {
                    if (action.kind != Action::Kind::kGoto) continue;
                    const auto to = std::find_if(sequencer.levels.begin(), sequencer.levels.end(),
                                                 [&](const Level& other) { return other.name == action.name; });
                    action.name = std::to_string(to - sequencer.levels.begin());
                }
            }
            levels_.push_back(level);
        }
    }
}

std::vector<NaiveHit> NaiveTrigger::run(const std::vector<NaiveRow>& rows, std::uint64_t end) {
    std::copy_if(rows.begin(), rows.end(), std::back_inserter(rows_),
                 [&](const NaiveRow& row) { return is_mentioned(row.channel); });
    std::size_t next = 0;
    for (std::uint64_t tick = 0; tick <= end; ++tick) {
        look({tick, false, next});
        while (next < rows_.size() && rows_[next].tick == tick) {
            ++next;
            look({tick, true, next});
        }
    }
    return hits_;
}

void NaiveTrigger::look(const Moment& moment) {
    rate_happenings_.clear();
    for (std::size_t i = 0; i < levels_.size(); ++i) {
        for (const Branch& branch : levels_[i].branches) {
            if (branch.test) follow_rates(branch.test->condition, i, moment);
        }
    }
    if (!moment.is_row && timeout_ && moment.tick > *timeout_) return go(0, false, moment);
    judge(moment);
}

// A rate happens when it begins to hold, at its own rows or in time.
void NaiveTrigger::follow_rates(const Condition& condition, std::size_t level, const Moment& moment) {
    for (const Condition& part : condition.parts) follow_rates(part, level, moment);
    if (condition.kind != Kind::kRate) return;
    if (moment.is_row && !in(condition.a, rows_[moment.seen - 1].channel)) return;
    const Answer is = rate(condition, moment);
    const Answer was = rates_.contains(&condition) ? rates_[&condition] : Answer::kNo;
    const bool may_have_held = was == Answer::kUnknown && rates_known_.contains(&condition) && rates_known_[&condition];
    if (is == Answer::kYes && was != Answer::kYes)
        rate_happenings_[&condition] = may_have_held ? Answer::kUnknown : Answer::kYes;
    if (is == Answer::kUnknown && was == Answer::kNo) rate_happenings_[&condition] = Answer::kUnknown;
    rates_[&condition] = is;
    if (is != Answer::kUnknown) rates_known_[&condition] = is == Answer::kYes;
}

void NaiveTrigger::judge(const Moment& moment) {
    // Copied: going to another level may not pull the branch away below us.
    const std::vector<Branch>& branches = levels_[level_].branches;
    for (std::size_t i = 0; i < branches.size(); ++i) {
        Answer answer = moment.is_row ? Answer::kYes : Answer::kNo;
        if (branches[i].test) answer = happens(branches[i].test->condition, moment);
        if (answer == Answer::kNo) continue;
        if (answer == Answer::kUnknown)
            hits_.push_back({moment.tick, false, level_});
        else if (!branches[i].test || complete(i, *branches[i].test, moment.tick))
            act(branches[i], moment);
        return;
    }
}

bool NaiveTrigger::complete(std::size_t branch, const Stage& stage, std::uint64_t now) {
    if (stage.count == 1) return true;
    std::vector<std::uint64_t>& ticks = seen_[branch];
    ticks.push_back(now);
    if (ticks.size() < stage.count) return false;
    const bool sliding = stage.within_ps && levels_[level_].sliding;
    if (sliding && now - ticks[ticks.size() - stage.count] > naive_ticks(*stage.within_ps)) return false;
    ticks.clear();
    return true;
}

void NaiveTrigger::add(std::int64_t& counter, std::int64_t amount) {
    constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
    constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max();
    if (amount > 0) counter = counter > kLargest - amount ? kLargest : counter + amount;
    if (amount < 0) counter = counter < kLeast - amount ? kLeast : counter + amount;
}

void NaiveTrigger::act(const Branch& branch, const Moment& moment) {
    bool hit = false;
    std::optional<std::size_t> to;
    const std::size_t from = level_;
    for (const Action& action : branch.actions) {
        if (action.kind == Action::Kind::kTrigger) hit = true;
        if (action.kind == Action::Kind::kGoto) to = std::stoul(action.name);
        if (action.kind == Action::Kind::kAdd) add(counters_[action.name], action.amount);
        if (action.kind == Action::Kind::kClear) counters_[action.name] = 0;
        if (action.kind == Action::Kind::kStart) timers_[action.name] = moment.tick;
        if (action.kind == Action::Kind::kStop) timers_.erase(action.name);
    }
    if (hit) hits_.push_back({moment.tick, true, from});
    if (to) return go(*to, true, moment);
    if (!hit) return;
    counters_.clear();
    timers_.clear();
    go(0, false, moment);
}

namespace {

void forget_rates(const Condition& condition, std::map<const Condition*, int>& out) {
    out[&condition] = 1;
    for (const Condition& part : condition.parts) forget_rates(part, out);
}

}  // namespace

void NaiveTrigger::go(std::size_t level, bool by_goto, const Moment& moment) {
    level_ = level;
    seen_.clear();
    entered_ = moment.tick;
    timeout_.reset();
    if (levels_[level].timeout) timeout_ = moment.tick + *levels_[level].timeout;
    if (!by_goto) return;
    levels_[level].entry = Entry{moment.tick, moment.seen};
    std::map<const Condition*, int> mine;
    for (const Branch& branch : levels_[level].branches) {
        if (branch.test) forget_rates(branch.test->condition, mine);
    }
    for (const auto& [condition, one] : mine) {
        rates_.erase(condition);
        rates_known_.erase(condition);
    }
}

}  // namespace sla::trigger
