// What is held, what counts of it, and what goes when that is too much; the private ones run under the lock.
#include "agent/retain/retention.h"

#include <algorithm>
#include <optional>

namespace sla::retain {
namespace {

constexpr std::uint64_t kMostOfLeast = std::uint64_t{32} << 20;  // within what the agent takes beside its limit

}  // namespace

std::uint64_t Retention::names() const {
    return channel_bytes_ + holdings_.announcements.bytes() + status_bytes_ - resting_bytes_;
}

// On their way to a reader while they are held no more, or made for it alone.
std::uint64_t Retention::frames_of_readers() const {
    const std::uint64_t all = holdings_.account->frames.load(std::memory_order_relaxed);  // pairs with nothing: a figure
    const std::uint64_t own = held_bytes_ + pinned_bytes_ + holdings_.announcements.bytes() + status_bytes_;
    return all - std::min(all, own);
}

std::uint64_t Retention::counted() const {
    const std::uint64_t of_readers =
        frames_of_readers() + holdings_.account->readers.load(std::memory_order_relaxed) +
        holdings_.account->recorders.load(std::memory_order_relaxed) +  // pair with nothing: figures
        holdings_.summaries.bytes();
    return held_bytes_ + names() + beside_.open_batches + beside_.programs + of_readers -
           std::min(of_readers, kFreeReaderBytes);
}

void Retention::drop_oldest(HeldChannel& lane) {
    const BatchFacts facts = lane.entries.front().facts;
    const std::uint64_t bytes = cost_of(lane.entries.front());
    Owner& owner = *lane.owner;
    lane.held.bytes -= bytes;
    lane.held.rows -= facts.rows;
    held_bytes_ -= bytes;
    count(owner, -static_cast<std::int64_t>(bytes));
    std::uint64_t until = facts.reach() + 1;
    if (lane.entries.size() > 1) until = std::max(until, lane.entries[1].facts.first_tick);
    if (pins_.any() && pins_.reach(facts.first_tick, until)) {
        pin(lane, until);
    } else {
        lane.before.add(given_up(facts));
        note_gone(lane, facts);
    }
    lane.entries.pop_front();
    lane.first_number++;
    by_size_.put(lane.id.value, lane.entries.size() > 1 ? lane.held.bytes : 0);
    if (--owner.batches == 0 && owner.ended) settle_empty(owner, lane.owner_id);
}

void Retention::cut_oldest(HeldChannel& lane) {
    lane.held.cut_tick = std::max(lane.held.cut_tick, lane.entries.front().facts.last_tick);
    drop_oldest(lane);
}

void Retention::keep_within_bytes(HeldChannel& lane) {
    while (lane.held.bytes > lane.limits.bytes && lane.entries.size() > 1) cut_oldest(lane);
}

// What the total gives up and shots need is theirs; what shots give up is the total's again.
void Retention::keep_within_limits() {
    Turn turn;
    keep_within_total();
    while (give_up_shot(turn)) keep_within_total();
}

// What counts beside the history may be more than all of the limit for a while, as in a storm of events that wait to be ordered.
// The newest of the history stay all the same: an agent that forgets everything then is no flight recorder.
void Retention::keep_within_total() {
    const std::uint64_t least = std::min(limits_.total_bytes / 4, kMostOfLeast);
    while (counted() > limits_.total_bytes) {
        if (held_bytes_ <= least) {
            if (names() > limits_.total_bytes / 4 && give_of_ended()) continue;
            return;
        }
        if (ended_bytes_ > limits_.total_bytes / 4 && give_of_ended()) continue;
        if (std::optional<std::uint32_t> most = by_size_.biggest()) {
            cut_oldest(*find({*most}));
        } else if (!give_of_ended()) {
            return;
        }
    }
}

void Retention::limit_channel(ChannelId channel, ChannelLimits limits) {
    std::lock_guard lock(mutex_);
    HeldChannel* lane = find(channel);
    if (lane == nullptr) return;  // retired meanwhile
    lane->limits = limits;
    keep_within_bytes(*lane);
    keep_within_limits();
}

void Retention::limit_total(std::uint64_t bytes) {
    std::lock_guard lock(mutex_);
    limits_.total_bytes = bytes;
    keep_within_limits();
}

void Retention::count_beside(const Beside& bytes) {
    std::lock_guard lock(mutex_);
    beside_ = bytes;
    keep_within_limits();
}

Limits Retention::limits() {
    std::lock_guard lock(mutex_);
    return limits_;
}

Retention::Usage Retention::usage() {
    std::lock_guard lock(mutex_);
    Usage usage;
    usage.history = held_bytes_;
    usage.names = names();
    usage.shots = of_shots();
    usage.beside = beside_;
    usage.readers =
        frames_of_readers() + holdings_.account->readers.load(std::memory_order_relaxed);  // pairs with nothing: a figure
    usage.recorders =
        holdings_.account->recorders.load(std::memory_order_relaxed) + holdings_.summaries.bytes();  // the same
    usage.counted = counted();
    usage.limits = limits_;
    return usage;
}

std::uint64_t Retention::held_bytes() {
    std::lock_guard lock(mutex_);
    return held_bytes_;
}

std::uint64_t Retention::counted_bytes() {
    std::lock_guard lock(mutex_);
    return counted();
}

}  // namespace sla::retain
