// One moment of the engine: a row or a deadline, what it makes happen, and what the level does about it.
#include "proto/base/check.h"
#include "proto/common/trigger/engine.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace sla::trigger {
namespace {

// Stays at its largest or least number where the sum is beyond.
void add_to(std::int64_t& counter, std::int64_t amount) {
    using Limits = std::numeric_limits<std::int64_t>;
    if (__builtin_add_overflow(counter, amount, &counter)) counter = amount < 0 ? Limits::min() : Limits::max();
}

}  // namespace

void Engine::note_losses(Channel& channel, const Row& row) const {
    ChannelState& state = channel.state;
    if (state.open.empty() && !row.is_loss()) return;
    for (const ChannelState::OpenLoss& loss : state.open) {
        if (loss.thread == row.thread) state.closed_until = std::max(state.closed_until, std::min(row.tick, loss.limit));
    }
    std::erase_if(state.open, [&](const ChannelState::OpenLoss& loss) { return loss.thread == row.thread; });
    if (!row.is_loss()) return;
    state.losses++;
    state.closed_until = std::max({state.closed_until, row.tick, row.until});
    if (row.until != 0) return;
    if (state.open.size() == ChannelState::kMaxOpenLosses) {  // no honest stream: the oldest counts to its limit
        state.closed_until = std::max(state.closed_until, state.open.front().limit);
        state.open.erase(state.open.begin());
    }
    state.open.push_back({row.thread, later(row.tick, timeout_)});
}

void Engine::remember(Channel& channel, const Row& row) {
    ChannelState& state = channel.state;
    if (row.is_loss()) {
        state.level_known = state.high = false;
        state.number_unsure = true;
    } else if (row.has_number()) {
        state.has_number = true;
        state.number_unsure = state.unsure_after(row.tick);
        if (row.code == SLA_CODE_LEVEL) {
            state.level_known = !state.number_unsure;
            state.high = row.value != 0;
        }
        state.number_code = row.code;
        state.number_bits = row.value;
    }
}

void Engine::take_row(Cursor& cursor, const Listening& here) {
    const Rows& rows = *cursor.rows;
    Channel& channel = *cursor.channel;
    Row row = rows.row(cursor.at, cursor.next_extra);
    row.channel = cursor.place;
    row.state = &channel.state;
    ++cursor.at;
    since_row_ = 0;
    now_ = row.tick;
    now_clock_ = channel.clock;
    now_channel_ = rows.channel.value;
    now_is_row_ = true;
    if (channel.tracked) note_losses(channel, row);
    for (const Listener& listener : here.listeners) {
        row.in_a = listener.in_a;
        row.in_b = listener.in_b;
        Leaf& leaf = *listener.leaf;
        Primitive& primitive = *leaf.primitive;
        leaf.clock = channel.clock;
        const Truth truth = primitive.on_row(row);
        next_deadline_ = std::min(next_deadline_, due(leaf));
        if (truth == Truth::kNo) continue;
        primitive.set_happens(truth);
        happened_.push_back(listener.number);
    }
    if (channel.tracked) remember(channel, row);
    if (!happened_.empty() || program_.levels[level_].every_row) judge(true);
    clear_happenings();
}

void Engine::clear_happenings() {
    for (const std::uint16_t leaf : happened_) program_.leaves[leaf].primitive->set_happens(Truth::kNo);
    happened_.clear();
}

// The deadline itself, or only finding out that it moved on.
void Engine::take_deadline() {
    const std::uint64_t at = next_deadline_;
    find_deadline();
    if (next_deadline_ > at) return;
    if (stop_if_circling(at)) return;
    now_ = at;
    now_clock_ = level_clock_;
    now_is_row_ = false;
    for (const std::uint16_t number : timed_) {
        const Leaf& leaf = program_.leaves[number];
        if (due(leaf) > at) continue;
        now_clock_ = leaf.clock;
        const Truth truth = leaf.primitive->on_time(at);
        if (truth == Truth::kNo) continue;
        leaf.primitive->set_happens(truth);
        happened_.push_back(number);
    }
    if (level_due() <= at) {
        enter(0, false);  // its time ran out, and this moment is used up
    } else if (!happened_.empty()) {
        judge(false);
    }
    clear_happenings();
    find_deadline();
}

// A sequencer may be written so that one deadline makes the next, without end and with no event: stop before it eats a core.
// What a row sets going comes to an end, however many rows there are: each may have a deadline of every condition.
bool Engine::stop_if_circling(std::uint64_t due) {
    constexpr std::uint64_t kMaxInAMillisecond = 10'000;
    if (due < burst_begin_ || due - burst_begin_ > timeout_ / 1000) {  // before it: by another time
        burst_begin_ = due;
        burst_ = 0;
    }
    if (++since_row_ <= timed_.size() + 1) return false;
    if (++burst_ <= kMaxInAMillisecond) return false;
    circling_ = true;
    level_deadline_ = next_deadline_ = kNever;
    active_.clear();
    return true;
}

Truth Engine::holds(const Node& node) const {
    if (node.kind == Node::Kind::kLeaf) return program_.leaves[node.leaf].primitive->holds(now_);
    Truth result = holds(node.parts[0]);
    for (std::size_t i = 1; i < node.parts.size(); ++i) {
        const Truth part = holds(node.parts[i]);
        result = node.kind == Node::Kind::kAnd ? std::min(result, part) : std::max(result, part);
    }
    return result;
}

// Of an `and`: one part happens while all others hold.
Truth Engine::happens(const Node& node, bool is_row) const {
    if (node.kind == Node::Kind::kLeaf) return program_.leaves[node.leaf].primitive->happens(now_, is_row);
    Truth result = Truth::kNo;
    for (std::size_t i = 0; i < node.parts.size(); ++i) {
        Truth part = happens(node.parts[i], is_row);
        if (node.kind == Node::Kind::kAnd) {
            for (std::size_t j = 0; j < node.parts.size() && part != Truth::kNo; ++j) {
                if (j != i) part = std::min(part, holds(node.parts[j]));
            }
        }
        result = std::max(result, part);
    }
    return result;
}

void Engine::judge(bool is_row) {
    if (now_ < clocks_.blind_until(now_clock_)) return;
    for (ReadyBranch& branch : program_.levels[level_].branches) {
        const Truth truth = branch.has_test ? happens(branch.test, is_row) : (is_row ? Truth::kYes : Truth::kNo);
        if (truth == Truth::kNo) continue;
        if (truth == Truth::kUnknown) {
            on_hit_({now_, false, level_, clocks_.source(now_clock_)});
        } else if (is_complete(branch)) {
            act_on(branch);
        }
        return;
    }
}

// Whether this is the last of the occurrences that the branch waits for.
bool Engine::is_complete(ReadyBranch& branch) const {
    if (branch.count <= 1) return true;
    branch.seen++;
    if (branch.sliding_ps) branch.ticks[branch.seen % branch.count] = now_;
    if (branch.seen < branch.count) return false;
    if (branch.sliding_ps && distance(branch.ticks[(branch.seen + 1) % branch.count], now_) > branch.window) return false;
    branch.seen = 0;
    return true;
}

void Engine::act_on(const ReadyBranch& branch) {
    std::optional<std::size_t> to;
    bool hit = false;
    for (const Step& step : branch.steps) {
        switch (step.kind) {
            case Action::Kind::kGoto: to = step.target; break;
            case Action::Kind::kTrigger: hit = true; break;
            case Action::Kind::kAdd: add_to(program_.registers->counters[step.target], step.amount); break;
            case Action::Kind::kClear: program_.registers->counters[step.target] = 0; break;
            case Action::Kind::kStart: program_.registers->timers[step.target] = {true, now_}; break;
            case Action::Kind::kStop: program_.registers->timers[step.target] = {}; break;
            case Action::Kind::kStay: break;
        }
    }
    const std::size_t from = level_;
    if (to) {
        enter(*to, true);
    } else if (hit) {
        restart();
    } else {
        for (const std::uint16_t number : program_.levels[level_].leaves) {
            Leaf& leaf = program_.leaves[number];
            if (leaf.listens.empty()) leaf.clock = now_clock_;
            leaf.primitive->on_registers(now_);
        }
        find_deadline();
    }
    if (!hit) return;
    const TimeSource time = clocks_.source(now_clock_);
    const std::uint64_t until = on_hit_({now_, true, from, time});
    if (until > clocks_.blind_until(now_clock_)) clocks_.look_away(until, time, now_);
}

void Engine::restart() {
    for (std::int64_t& counter : program_.registers->counters) counter = 0;
    for (Registers::Timer& timer : program_.registers->timers) timer = {};
    enter(0, false);
}

void Engine::enter(std::size_t level, bool by_goto) {
    level_ = level;
    moved_ = true;
    ReadyLevel& entered = program_.levels[level];
    for (ReadyBranch& branch : entered.branches) branch.seen = 0;
    level_deadline_ = entered.timeout_ps ? later(now_, later(entered.timeout, 1)) : kNever;
    level_clock_ = now_clock_;
    for (const std::uint16_t number : entered.leaves) {
        Leaf& leaf = program_.leaves[number];
        if (by_goto || leaf.a.text.empty()) enter(leaf);
    }
    find_deadline();
}

}  // namespace sla::trigger
