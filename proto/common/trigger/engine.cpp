// The engine's order: which row or deadline is next. What then happens is in engine_moment.cpp, which channels a level
// looks at in engine_channels.cpp.
#include "proto/common/trigger/engine.h"

#include "proto/base/check.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace sla::trigger {

Rows Rows::of(const wire::EventBatch& batch, std::size_t from) {
    Rows rows;
    rows.channel = batch.channel;
    rows.ticks = std::span(batch.ticks).subspan(from);
    rows.codes = std::span(batch.codes).subspan(from);
    rows.values = std::span(batch.values).subspan(from);
    rows.threads = std::span(batch.threads).subspan(from);
    rows.extras = batch.extras;
    rows.first_position = from;
    return rows;
}

Engine::Engine(const Trigger& trigger, double ticks_per_second, OnHit on_hit)
    : program_(compile(trigger)), level_count_(program_.levels.size()), on_hit_(std::move(on_hit)) {
    SLA_CHECK(level_count_ != 0);
    differing_.resize(level_count_ * level_count_);
    for (std::size_t i = 0; i < program_.leaves.size(); ++i) {
        if (!program_.leaves[i].memoryless) timed_.push_back(static_cast<std::uint16_t>(i));
    }
    retime(ticks_per_second);
}

void Engine::retime(double ticks_per_second) {
    timeout_ = static_cast<std::uint64_t>(ticks_per_second);
    trigger::retime(program_, ticks_per_second);
}

// The level entered from that one may watch the same channels: then those chosen stay so.
void Engine::forget_move_between_alike_levels(std::size_t from) {
    if (differing_[from * level_count_ + level_] == 0) moved_ = false;
}

// A level's channels that the one before did not look at begin behind where we stand.
void Engine::skip_unwatched(Cursor& cursor) const {
    const std::uint32_t id = cursor.rows->channel.value;
    const std::span<const std::uint64_t> ticks = cursor.rows->ticks;
    const auto from = ticks.begin() + static_cast<std::ptrdiff_t>(cursor.at);
    const bool equal_is_behind = now_is_row_ && id < now_channel_;
    const auto to = equal_is_behind ? std::upper_bound(from, ticks.end(), now_) : std::lower_bound(from, ticks.end(), now_);
    if (now_is_row_ && id == now_channel_) return;
    cursor.at = static_cast<std::size_t>(to - ticks.begin());
}

void Engine::choose_active() {
    moved_ = false;
    active_.clear();
    all_scan_ = true;
    for (Cursor& cursor : cursors_) {
        const bool was_watched = cursor.watched;
        const Listening& here = listening(level_, cursor.place);
        cursor.watched = here.any;
        if (!cursor.watched) continue;
        if (!was_watched) skip_unwatched(cursor);
        if (cursor.over()) continue;
        active_.push_back({cursor.tick(), &cursor});
        all_scan_ = all_scan_ && here.scan != nullptr;
    }
    if (all_scan_ && rows_in_order_ == 0) {  // only the first is asked for
        const auto first =
            std::min_element(active_.begin(), active_.end(), [](const Head& a, const Head& b) { return comes_later(b, a); });
        if (first != active_.end()) std::iter_swap(first, active_.begin());
    } else {
        std::make_heap(active_.begin(), active_.end(), comes_later);
    }
}

// The first of the heap went on, or is over.
void Engine::settle_first() {
    const Cursor& cursor = *active_.front().cursor;
    if (cursor.over()) {
        std::pop_heap(active_.begin(), active_.end(), comes_later);
        active_.pop_back();
        return;
    }
    Head moving = active_.front();
    moving.tick = cursor.tick();
    std::size_t at = 0;
    const std::size_t size = active_.size();
    for (std::size_t child = 1; child < size; child = 2 * at + 1) {
        if (child + 1 < size && comes_later(active_[child], active_[child + 1])) ++child;
        if (!comes_later(moving, active_[child])) break;
        active_[at] = active_[child];
        at = child;
    }
    active_[at] = moving;
}

void Engine::feed(std::span<const Rows> rows, const KnownTimes& known) {
    cursors_.clear();
    active_.clear();
    if (circling_) return;
    clocks_.learn(known);
    if (clocks_.any_own()) find_deadline();
    for (const Rows& of_channel : rows) {
        if (!wants(of_channel.channel) || of_channel.ticks.empty()) continue;
        const std::uint32_t place = places_.at(of_channel.channel.value);
        cursors_.push_back({&of_channel, place, &channels_[place], of_channel.ticks.data(), of_channel.ticks.size()});
    }
    std::sort(cursors_.begin(), cursors_.end(),
              [](const Cursor& a, const Cursor& b) { return a.rows->channel < b.rows->channel; });
    for (Cursor& cursor : cursors_) cursor.watched = listening(level_, cursor.place).any;
    choose_active();
    while (take_next()) {
        if (moved_) choose_active();
    }
    const RowClocks::Number clock = clocks_.only();
    now_ = std::max(std::exchange(now_clock_, clock) == clock ? now_ : 0, clocks_.known(clock));
    now_is_row_ = false;
}

// One deadline, or one run of rows; false when there is none up to what is known.
bool Engine::take_next() {
    if (active_.empty()) {
        const bool is_later = !clocks_.any_own() && next_deadline_ > clocks_.known(RowClocks::kMachine);
        if (is_later || next_deadline_ == kNever) return false;
        take_deadline();
        return true;
    }
    const Head first = active_.front();
    std::uint64_t others = kNever;  // the first tick that is not ours any more
    for (std::size_t i = 1; i < std::min<std::size_t>(active_.size(), 3); ++i) {
        // Of equal ticks the lower channel comes first; cursors lie in that order.
        const Head& other = active_[i];
        others = std::min(others, other.cursor < first.cursor ? other.tick : later(other.tick, 1));
    }
    if (next_deadline_ <= first.tick) {
        const std::size_t level = level_;
        take_deadline();
        if (moved_) forget_move_between_alike_levels(level);
    } else if (all_scan_ && active_.size() > 1 && may_scan_together()) {
        scan_together();
    } else {
        run(*first.cursor, std::min(others, next_deadline_) - 1);
        if (!moved_) settle_first();
    }
    return true;
}

// Rows of one channel with a tick up to the last; ends earlier when the level changes or a deadline comes before that.
void Engine::run(Cursor& cursor, std::uint64_t last_tick) {
    while (!cursor.over() && cursor.tick() <= last_tick && cursor.tick() < next_deadline_) {
        const Listening& here = listening(level_, cursor.place);
        if (here.scan != nullptr && scan(cursor, here, std::min(last_tick, next_deadline_ - 1))) return;
        if (here.passes != nullptr) {
            pass_over(cursor, *here.passes, last_tick);
            if (cursor.over() || cursor.tick() > last_tick || cursor.tick() >= next_deadline_) return;
        }
        const std::size_t level = level_;
        take_row(cursor, here);
        if (moved_) forget_move_between_alike_levels(level);
        if (moved_) return;
    }
}

void Engine::find_deadline() {
    next_deadline_ = level_due();
    for (const std::uint16_t leaf : timed_) next_deadline_ = std::min(next_deadline_, due(program_.leaves[leaf]));
}

// By which all is known of what the leaf looks at: the one that is known least far of those that go on; when all are over,
// the one that went furthest.
RowClocks::Number Engine::known_clock(const Leaf& leaf) const {
    std::optional<RowClocks::Number> going_on;
    std::optional<RowClocks::Number> over;
    for (RowClocks::Number clock = 0; clock < leaf.listens.size(); ++clock) {
        if (leaf.listens[clock] == 0) continue;
        if (clocks_.is_over(clock)) {
            if (!over || clocks_.known(clock) > clocks_.known(*over)) over = clock;
        } else if (!going_on || clocks_.known(clock) < clocks_.known(*going_on)) {
            going_on = clock;
        }
    }
    return going_on ? *going_on : over.value_or(leaf.clock);
}

// Its level was entered: what it measures from there on goes by the time of this moment, or by one that it looks at.
void Engine::enter(Leaf& leaf) {
    const bool is_same = leaf.listens.empty() || (now_clock_ < leaf.listens.size() && leaf.listens[now_clock_] > 0);
    leaf.clock = is_same ? now_clock_ : known_clock(leaf);
    leaf.primitive->on_enter(is_same ? now_ : clocks_.known(leaf.clock));
}

std::uint64_t Engine::level_due() const {
    return !clocks_.any_own() || level_deadline_ <= clocks_.known(level_clock_) ? level_deadline_ : kNever;
}

}  // namespace sla::trigger
