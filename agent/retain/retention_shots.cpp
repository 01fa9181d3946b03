// Windows of shots: what of a channel's history is not given up for want of space. Everything here runs under the lock.
#include "agent/retain/retention.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

namespace sla::retain {
namespace {

constexpr std::size_t kMaxShots = 10'000;  // each costs a moment when one of them goes
// In one turn: about a millisecond.
constexpr std::size_t kShotsInATurn = 64;
constexpr std::size_t kChannelsInATurn = 4096;

}  // namespace

void Retention::pin_shot(std::uint32_t trigger, Interval window) {
    std::lock_guard lock(mutex_);
    pins_.add(trigger, window, is_whole(window));
    keep_within_limits();
}

void Retention::cut_shot(std::uint32_t trigger, const Interval& window, std::uint64_t last) {
    std::lock_guard lock(mutex_);
    Turn turn;
    if (const auto gone = pins_.cut(trigger, window, last)) unpin(*gone, turn);
}

bool Retention::holds(Interval window) {
    std::lock_guard lock(mutex_);
    return is_whole(window);
}

// Nothing of it has been given up, neither of the channels that are there nor of those that were retired. What has another
// time does not count.
bool Retention::is_whole(const Interval& window) const {
    if (window.time == SourceId{}) return !gone_ticks_.reach(window.first, window.last);
    const auto is_hit = [&](const GivenUp& gone) { return gone.reaches(window.first, window.last); };
    const auto owner = owners_.find(window.time.value);
    if (owner == owners_.end()) {
        return std::none_of(holdings_.retired.begin(), holdings_.retired.end(),
                            [&](const Retired& gone) { return gone.source == window.time && is_hit(given_up(gone)); });
    }
    for (const std::uint32_t id : owner->second.channels) {
        const HeldChannel& lane = holdings_.channels.at(id);
        const auto follows_one = [&](const auto& pinned) { return is_hit(pinned.second.before); };
        if (is_hit(lane.before) || std::any_of(lane.pinned.begin(), lane.pinned.end(), follows_one)) return false;
    }
    return true;
}

void Retention::note_gone(HeldChannel& lane, const BatchFacts& facts) {
    lane.held.given_up.add({1, facts.rows, facts.offered, facts.first_tick, facts.last_tick});
    if (!lane.owner->has_own_time) gone_ticks_.add(facts.first_tick, facts.reach());
    if (pins_.any_loose()) pins_.give_up({facts.first_tick, facts.reach(), lane.time()});
}

std::uint64_t Retention::shot_bytes() {
    std::lock_guard lock(mutex_);
    return of_shots();
}

std::uint64_t Retention::shots_lacking(std::uint32_t trigger) {
    std::lock_guard lock(mutex_);
    return pins_.lacking(trigger);
}

// The oldest entry, which begins before `until`, out of the history; whoever calls takes it off the entries.
void Retention::pin(HeldChannel& lane, std::uint64_t until) {
    HeldBatch& oldest = lane.entries.front();
    pinned_bytes_ += cost_of(oldest);
    if (lane.pinned.empty()) pinned_channels_.emplace(oldest.facts.first_tick, lane.id.value);
    lane.owner->pinned++;
    lane.pinned.emplace_hint(lane.pinned.end(), lane.first_number,
                             PinnedBatch{std::move(oldest), until, std::exchange(lane.before, {})});
}

// False: shots are within their limits, or it is enough for this turn.
bool Retention::give_up_shot(Turn& turn) {
    if (!pins_.any() || (of_shots() <= limits_.shot_bytes && pins_.size() <= kMaxShots)) return false;
    if (turn.shots == kShotsInATurn || turn.channels >= kChannelsInATurn) return false;
    turn.shots++;
    if (const auto gone = pins_.shrink()) unpin(*gone, turn);
    return true;
}

// Channels whose pinned batches all begin later are not walked: of very many shots that go at once each costs what it frees.
void Retention::unpin(const Interval& gone, Turn& turn) {
    std::vector<std::pair<std::uint64_t, std::uint32_t>> left;
    while (!pinned_channels_.empty() && pinned_channels_.begin()->first <= gone.last) {
        const std::uint32_t id = pinned_channels_.begin()->second;
        pinned_channels_.erase(pinned_channels_.begin());
        HeldChannel& lane = holdings_.channels.at(id);
        unpin(lane, gone);
        turn.channels++;
        if (!lane.pinned.empty()) left.emplace_back(lane.pinned.begin()->second.entry.facts.first_tick, id);
    }
    pinned_channels_.insert(left.begin(), left.end());
}

// What no window needs any more of the channel's batches there.
void Retention::unpin(HeldChannel& lane, const Interval& gone) {
    for (auto one = lane.pinned.begin(); one != lane.pinned.end() && one->second.entry.facts.first_tick <= gone.last;) {
        const PinnedBatch& pinned = one->second;
        if (pins_.reach(pinned.entry.facts.first_tick, pinned.until)) {
            ++one;
            continue;
        }
        pinned_bytes_ -= cost_of(pinned.entry);
        let_go_of_pinned(*lane.owner, lane.owner_id);
        note_gone(lane, pinned.entry.facts);
        GivenUp before = pinned.before;
        before.add(given_up(pinned.entry.facts));
        const auto behind = std::next(one);
        GivenUp& next = behind == lane.pinned.end() ? lane.before : behind->second.before;
        before.add(next);
        next = before;
        one = lane.pinned.erase(one);
    }
}

// A source that ended and rested for the sake of shots is one of the ended again, before all others.
void Retention::let_go_of_pinned(Owner& owner, std::uint32_t id) {
    if (--owner.pinned > 0 || !owner.ended || owner.batches > 0) return;
    emptied_.emplace_back(id, owner.ended_tick);
    owner.rests = false;
    resting_bytes_ -= owner.bytes;
    ended_bytes_ += owner.bytes;
    ended_.splice(ended_.begin(), resting_, owner.place);
}

}  // namespace sla::retain
