// Passing over rows that mean nothing to the level the engine stands in: of one channel, and of many at once.
//
//   together:   channel 3  │ · · · · ×        each channel by itself up to the earliest row found so far that means
//               channel 7  │  · · ·│          something; no row is compared with another channel's. Then all stand
//               channel 9  │ ·  · ·│          before that row, and it is taken.
//                          └───────┘ a range
#include "proto/common/trigger/engine.h"

#include <algorithm>

namespace sla::trigger {
namespace {

// Of a channel. What was looked at behind the row found is looked at once more, so a range is about as long as the way
// to the next such row was lately.
constexpr std::size_t kShortestRange = 8;
constexpr std::size_t kLongestRange = 1024;

// The first row from `at` on with a later tick than the last; likely within so many rows.
std::size_t first_behind(std::span<const std::uint64_t> ticks, std::size_t at, std::uint64_t last_tick, std::size_t likely) {
    std::size_t end = at + std::min(likely, ticks.size() - at);
    if (end < ticks.size() && ticks[end] <= last_tick) end = ticks.size();
    const auto found = std::upper_bound(ticks.begin() + static_cast<std::ptrdiff_t>(at),
                                        ticks.begin() + static_cast<std::ptrdiff_t>(end), last_tick);
    return static_cast<std::size_t>(found - ticks.begin());
}

}  // namespace

// Passes rows that mean nothing to this level; true when none is left up to the last tick.
bool Engine::scan(Cursor& cursor, const Listening& here, std::uint64_t last_tick) const {
    const std::span<const std::uint64_t> ticks = cursor.rows->ticks;
    const std::uint8_t* codes = cursor.rows->codes.data();
    const std::uint64_t* values = cursor.rows->values.data();
    std::size_t at = cursor.at;
    const std::uint64_t blind_until = clocks_.blind_until(cursor.channel->clock);
    if (ticks[at] < blind_until) {
        const auto seen = std::lower_bound(ticks.begin() + static_cast<std::ptrdiff_t>(at), ticks.end(), blind_until);
        at = static_cast<std::size_t>(seen - ticks.begin());
    }
    if (at < ticks.size() && ticks[at] <= last_tick && (*here.scan)(codes[at], values[at]) != Truth::kNo) {
        cursor.at = at;  // most often where every row counts: nothing to look for
        return false;
    }
    const std::size_t end = first_behind(ticks, at, last_tick, range_rows_ + 1);
    cursor.at = at + here.scan->find(codes + at, values + at, end - at);
    return cursor.at == end;
}

// Rows that the only condition that watches them takes in one go: nothing else knows of them, so no loss may be open.
void Engine::pass_over(Cursor& cursor, Primitive& primitive, std::uint64_t last_tick) {
    if (!cursor.channel->state.open.empty()) return;
    std::uint64_t others = level_due();
    Leaf* own = nullptr;
    for (const std::uint16_t number : timed_) {
        Leaf& leaf = program_.leaves[number];
        if (leaf.primitive.get() == &primitive) {
            own = &leaf;
        } else {
            others = std::min(others, due(leaf));
        }
    }
    const std::span<const std::uint64_t> ticks = cursor.rows->ticks;
    const std::size_t end = first_behind(ticks, cursor.at, std::min(last_tick, others - 1), kLongestRange);
    const std::size_t passed =
        primitive.pass_over(ticks.subspan(cursor.at, end - cursor.at), cursor.rows->codes.data() + cursor.at);
    if (passed == 0) return;
    since_row_ = 0;
    cursor.at += passed;
    now_ = ticks[cursor.at - 1];
    own->clock = now_clock_ = cursor.channel->clock;
    now_channel_ = cursor.rows->channel.value;
    now_is_row_ = true;
    next_deadline_ = std::min(others, due(*own));
}

// Looking at all channels is dear when it finds something every few rows: then rows are taken in order for a while.
bool Engine::may_scan_together() {
    if (rows_in_order_ == 0) return true;
    --rows_in_order_;
    return false;
}

// The last tick of the next range: no channel has very many rows in it, and no deadline is.
std::uint64_t Engine::range_end() const {
    std::uint64_t end = next_deadline_ - 1;
    for (const Head& head : active_) {
        const Cursor& cursor = *head.cursor;
        const std::size_t left = cursor.rows->ticks.size() - cursor.at;
        if (left > range_rows_) end = std::min(end, cursor.rows->ticks[cursor.at + range_rows_]);
    }
    return end;
}

// Puts the cursor before the row (tick, channel), as rows are ordered; it stood further on, or just there.
void Engine::step_back(Cursor& cursor, std::size_t from, std::uint64_t tick, ChannelId channel) {
    const auto ticks = cursor.rows->ticks.begin();
    const auto begin = ticks + static_cast<std::ptrdiff_t>(from);
    const auto end = ticks + static_cast<std::ptrdiff_t>(cursor.at);
    const bool equal_is_before = cursor.rows->channel < channel;
    const auto at = equal_is_before ? std::upper_bound(begin, end, tick) : std::lower_bound(begin, end, tick);
    cursor.at = static_cast<std::size_t>(at - ticks);
}

// One range, and the row found in it, if any. Cursors lie in the order of their channels: of equal ticks the first
// found counts.
void Engine::scan_together() {
    std::uint64_t last_tick = range_end();
    Cursor* found = nullptr;
    std::size_t passed = 0;
    for (Cursor& cursor : cursors_) {
        cursor.from = cursor.at;
        if (!cursor.watched || cursor.over() || cursor.tick() > last_tick) continue;
        const bool nothing = scan(cursor, listening(level_, cursor.place), last_tick);
        passed += cursor.at - cursor.from;
        if (nothing) continue;
        found = &cursor;
        if (cursor.tick() == 0) break;
        last_tick = cursor.tick() - 1;
    }
    range_rows_ = found == nullptr ? std::min(range_rows_ * 2, kLongestRange)
                                   : std::clamp(passed / active_.size(), kShortestRange, kLongestRange);
    if (passed < active_.size()) rows_in_order_ = 2 * active_.size();
    if (found != nullptr) {
        const std::uint64_t tick = found->tick();
        const ChannelId channel = found->rows->channel;
        for (Cursor& cursor : cursors_) {
            if (&cursor != found && cursor.at > cursor.from) step_back(cursor, cursor.from, tick, channel);
        }
        take_row(*found, listening(level_, found->place));
    }
    if (!moved_) choose_active();
}

}  // namespace sla::trigger
