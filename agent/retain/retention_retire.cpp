// How sources end and are forgotten; everything here but the first three runs under the lock.
#include "agent/retain/retention.h"

#include <algorithm>
#include <utility>

namespace sla::retain {
namespace {

constexpr std::size_t kMinExpiredAtOnce = 1024;  // channels looked at by one expire()

}  // namespace

void Retention::end_source(SourceId source, std::uint64_t tick) {
    std::lock_guard lock(mutex_);
    const auto at = owners_.find(source.value);
    if (at == owners_.end() || at->second.ended) return;
    Owner& owner = at->second;
    owner.ended = true;
    owner.ended_tick = tick;
    owner.place = ended_.insert(ended_.end(), source.value);
    ended_bytes_ += owner.bytes;
    owner.giving.clear();
    for (const std::uint32_t channel : owner.channels) {
        if (!find({channel})->entries.empty()) owner.giving.push_back(channel);
    }
    if (owner.batches == 0) settle_empty(owner, source.value);
    keep_within_limits();
}

bool Retention::begin_source(SourceId source) {
    std::lock_guard lock(mutex_);
    const auto at = owners_.find(source.value);
    if (at == owners_.end()) return std::ranges::find(retired_sources_, source) == retired_sources_.end();
    if (!at->second.ended) return true;
    Owner& owner = at->second;
    owner.ended = false;
    const bool rested = std::exchange(owner.rests, false);
    (rested ? resting_ : ended_).erase(owner.place);
    (rested ? resting_bytes_ : ended_bytes_) -= owner.bytes;
    keep_within_limits();
    return true;
}

std::vector<SourceId> Retention::take_retired() {
    std::lock_guard lock(mutex_);
    return std::exchange(retired_sources_, {});
}

// An ended source that has no batch left: it may be retired soon, or rests as long as shots hold something of it.
void Retention::settle_empty(Owner& owner, std::uint32_t id) {
    if (owner.pinned == 0) {
        emptied_.emplace_back(id, owner.ended_tick);
        return;
    }
    owner.rests = true;
    ended_bytes_ -= owner.bytes;
    resting_bytes_ += owner.bytes;
    resting_.splice(resting_.end(), ended_, owner.place);
}

// A batch of the longest ended source, of each of its channels in turn; the source itself when it has none. False: none has
// ended.
bool Retention::give_of_ended() {
    if (ended_.empty()) return false;
    Owner& owner = owners_.at(ended_.front());
    if (owner.batches == 0) {
        retire(ended_.front());
        return true;
    }
    for (;;) {
        if (owner.next_to_give >= owner.giving.size()) owner.next_to_give = 0;
        std::uint32_t& id = owner.giving[owner.next_to_give];
        HeldChannel& lane = *find({id});
        if (!lane.entries.empty()) {
            cut_oldest(lane);
            owner.next_to_give++;
            return true;
        }
        id = owner.giving.back();
        owner.giving.pop_back();
    }
}

void Retention::expire(std::uint64_t now) {
    std::lock_guard lock(mutex_);
    expire_some(now);
    keep_within_limits();
    retire_empty(now);
}

void Retention::expire_channel(HeldChannel& lane, std::uint64_t by_machine) {
    const std::uint64_t now = lane.now(by_machine);
    if (lane.limits.ticks == 0 || lane.limits.ticks > now) return;
    const std::uint64_t oldest = now - lane.limits.ticks;
    const std::size_t least = lane.owner->ended ? 0 : 1;
    if (lane.entries.size() <= least) return;
    while (lane.entries.size() > least && lane.entries.front().facts.last_tick < oldest) drop_oldest(lane);
}

// All channels have had their turn after eight calls.
void Retention::expire_some(std::uint64_t now) {
    std::size_t left = std::min(holdings_.channels.size(), std::max(kMinExpiredAtOnce, holdings_.channels.size() / 8));
    for (auto at = holdings_.channels.upper_bound(expired_until_); left > 0; left--) {
        if (at == holdings_.channels.end()) at = holdings_.channels.begin();
        expire_channel(at->second, now);
        expired_until_ = at->first;
        ++at;
    }
}

void Retention::retire_empty(std::uint64_t now) {
    while (!emptied_.empty()) {
        const auto [source, tick] = emptied_.front();
        if (now < tick + kLingerTicks) return;
        emptied_.pop_front();
        const auto at = owners_.find(source);
        const bool is_empty = at != owners_.end() && at->second.ended && at->second.batches + at->second.pinned == 0;
        if (is_empty && now >= at->second.ended_tick + kLingerTicks) retire(source);
    }
}

void Retention::retire(std::uint32_t source) {
    const auto at = owners_.find(source);
    Owner& owner = at->second;
    for (const std::uint64_t number : owner.announcements) holdings_.announcements.drop(number);
    for (const std::uint32_t id : owner.channels) {
        const auto lane = holdings_.channels.find(id);
        HeldChannel& gone = lane->second;
        channel_bytes_ -= kChannelBytes + gone.name.size();
        holdings_.changed.erase(gone.place);
        remember_retired({gone.id,
                          {source},
                          std::move(gone.name),
                          gone.announced,
                          gone.offered,
                          gone.begin_tick,
                          gone.reach,
                          owner.has_own_time});
        holdings_.channels.erase(lane);
    }
    if (owner.channels.empty() && !owner.announcements.empty())
        remember_retired({{}, {source}, "", owner.announcements.front()});
    ended_.erase(owner.place);
    ended_bytes_ -= owner.bytes;
    retired_sources_.push_back({source});
    owners_.erase(at);
}

void Retention::remember_retired(Retired retired) {
    holdings_.retired.push_back(std::move(retired));
    if (holdings_.retired.size() <= kMaxRetired) return;
    holdings_.retired_before++;
    holdings_.offered_before += holdings_.retired.front().offered;
    holdings_.retired.pop_front();
}

// All that it had; nothing, if that was nothing.
GivenUp Retention::given_up(const Retired& gone) {
    return {gone.offered > 0 ? 1u : 0u, 0, gone.offered, gone.begin_tick, gone.reach};
}

}  // namespace sla::retain
