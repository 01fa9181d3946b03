#include "agent/retain/retention.h"

#include "proto/base/check.h"

#include <algorithm>
#include <utility>

namespace sla::retain {
namespace {

constexpr std::uint64_t kMaxSummaries = std::uint64_t{8} << 20;  // bytes: some tenths of a second at 30 M events/s
constexpr std::uint64_t kMuch = std::uint64_t{1} << 20;
constexpr std::uint64_t kShortTicks = 600'000'000;  // 200 ms at 3 GHz: what is kept no longer than that cannot wait

}  // namespace

std::uint64_t Retention::cost_of(const HeldBatch& entry) {
    return retain::cost_of(*entry.frame);
}

GivenUp Retention::given_up(const BatchFacts& facts) {
    return {1, facts.rows, facts.offered, facts.first_tick, facts.reach()};
}

// All bytes that go with a source, so that it is known what the ended ones hold.
void Retention::count(Owner& owner, std::int64_t bytes) {
    owner.bytes += static_cast<std::uint64_t>(bytes);
    if (owner.ended) (owner.rests ? resting_bytes_ : ended_bytes_) += static_cast<std::uint64_t>(bytes);
}

void Retention::announce(std::string frame, Topic topic) {
    std::lock_guard lock(mutex_);
    holdings_.announcements.add(holdings_.share(std::move(frame)), topic);
    keep_within_limits();
}

std::uint64_t Retention::announce_of(SourceId source, std::string frame) {
    std::lock_guard lock(mutex_);
    Owner& owner = owners_[source.value];
    const std::uint64_t before = holdings_.announcements.bytes();
    owner.announcements.push_back(holdings_.announcements.add(holdings_.share(std::move(frame)), Topic::kOfSource));
    count(owner, static_cast<std::int64_t>(holdings_.announcements.bytes() - before));
    return owner.announcements.back();
}

void Retention::drop_of(SourceId source, std::uint64_t number) {
    std::lock_guard lock(mutex_);
    Owner& owner = owners_.at(source.value);
    const auto at = std::lower_bound(owner.announcements.begin(), owner.announcements.end(), number);
    SLA_CHECK(at != owner.announcements.end() && *at == number);
    owner.announcements.erase(at);
    const std::uint64_t before = holdings_.announcements.bytes();
    holdings_.announcements.drop(number);
    count(owner, static_cast<std::int64_t>(holdings_.announcements.bytes()) - static_cast<std::int64_t>(before));
}

void Retention::set_own_time(SourceId source) {
    std::lock_guard lock(mutex_);
    owners_[source.value].has_own_time = true;
}

void Retention::announce_channel(ChannelId channel, const std::string& name, std::string frame, SourceId source) {
    const std::uint64_t number = announce_of(source, std::move(frame));
    std::lock_guard lock(mutex_);
    auto [at, is_new] = holdings_.channels.try_emplace(channel.value);
    SLA_CHECK(is_new);
    HeldChannel& lane = at->second;
    lane.id = channel;
    lane.name = name;
    lane.owner_id = source.value;
    lane.owner = &owners_[source.value];
    lane.owner->channels.push_back(channel.value);
    lane.announced = number;
    lane.place = holdings_.changed.insert(holdings_.changed.begin(), &lane);
    lane.limits.bytes = limits_.channel_bytes;
    channel_bytes_ += kChannelBytes + name.size();
    count(*lane.owner, static_cast<std::int64_t>(kChannelBytes + name.size()));
}

HeldChannel* Retention::find(ChannelId channel) {
    const auto at = holdings_.channels.find(channel.value);
    return at == holdings_.channels.end() ? nullptr : &at->second;
}

void Retention::append(const BatchFacts& facts, std::string frame, const wire::EventBatch* rows) {
    auto shared = holdings_.share(std::move(frame));
    const bool is_recorded =
        holdings_.account->recorder_count.load(std::memory_order_relaxed) > 0;  // a hint: pairs with nothing
    SharedSummary summary = is_recorded && rows != nullptr ? summarizer_.of(*rows) : nullptr;
    std::lock_guard lock(mutex_);
    HeldChannel* lane = find(facts.channel);
    SLA_CHECK(lane != nullptr && !lane->owner->ended);
    Owner& owner = *lane->owner;
    if (owner.has_own_time) owner.own_now = std::max(owner.own_now, facts.last_tick);
    const std::uint64_t turn = owner.has_own_time ? holdings_.watermark : facts.first_tick;
    const std::uint64_t summary_bytes = summary ? summary->bytes() : 0;
    if (!is_recorded) holdings_.summaries.clear();
    const std::uint64_t number =
        summary ? holdings_.summaries.put(std::move(summary), std::min(kMaxSummaries, limits_.total_bytes / 16)) : 0;
    lane->entries.push_back({facts, lane->offered, std::move(shared), turn, number, lane->reach});
    const std::uint64_t bytes = cost_of(lane->entries.back());
    lane->offered += facts.offered;
    if (lane->offered == facts.offered) lane->begin_tick = facts.first_tick;
    lane->last_tick = facts.last_tick;
    lane->reach = std::max(lane->reach, facts.reach());
    lane->held.bytes += bytes;
    lane->held.rows += facts.rows;
    lane->last_change = ++holdings_.changes;
    holdings_.changed.splice(holdings_.changed.end(), holdings_.changed, lane->place);
    held_bytes_ += bytes;
    owner.batches++;
    count(owner, static_cast<std::int64_t>(bytes));
    keep_within_bytes(*lane);
    by_size_.put(facts.channel.value, lane->entries.size() > 1 ? lane->held.bytes : 0);
    keep_within_limits();
    if (is_much(*lane, bytes, bytes + summary_bytes)) much_.notify_all();
}

// Readers that wait for it are to come: a quarter of what may be held is new to them.
bool Retention::is_much(HeldChannel& lane, std::uint64_t bytes, std::uint64_t with_summary) {
    if (std::exchange(lane.fresh_since, wakeups_) != wakeups_) lane.fresh_bytes = 0;
    lane.fresh_bytes += bytes;
    fresh_bytes_ += with_summary;
    const bool is_short = lane.limits.ticks > 0 && lane.limits.ticks < kShortTicks;
    const bool is_much =
        is_short || lane.fresh_bytes >= lane.limits.bytes / 4 || fresh_bytes_ >= std::min(kMuch, limits_.total_bytes / 16);
    if (!is_much) return false;
    fresh_bytes_ = 0;
    wakeups_++;
    return true;
}

void Retention::set_watermark(std::uint64_t tick) {
    std::lock_guard lock(mutex_);
    holdings_.watermark = std::max(holdings_.watermark, tick);
}

void Retention::set_status(std::string frame) {
    std::vector<std::string> pages;
    pages.push_back(std::move(frame));
    set_status(std::move(pages));
}

void Retention::set_status(std::vector<std::string> pages) {
    std::lock_guard lock(mutex_);
    holdings_.status.clear();
    status_bytes_ = 0;
    for (std::string& page : pages) {
        holdings_.status.push_back(holdings_.share(std::move(page)));
        status_bytes_ += retain::cost_of(*holdings_.status.back());
    }
    holdings_.status_number++;  // nothing is given up for it now: what it says of channels would no longer hold
}

void Retention::finish(std::string end_frame) {
    {
        std::lock_guard lock(mutex_);
        holdings_.end = holdings_.share(std::move(end_frame));
        wakeups_++;
    }
    much_.notify_all();
    publish();
}

void Retention::publish() {
    {
        std::lock_guard lock(mutex_);
        publications_++;
    }
    published_.notify_all();
    if (notify_) notify_();
}

void Retention::on_publish(std::function<void()> notify) {
    notify_ = std::move(notify);
}

void Retention::wait(std::chrono::milliseconds limit) {
    std::unique_lock lock(mutex_);
    std::uint64_t seen = publications_;
    published_.wait_for(lock, limit, [&] { return publications_ != seen; });
}

void Retention::wait_for_much(std::chrono::milliseconds limit) {
    std::unique_lock lock(mutex_);
    const std::uint64_t seen = wakeups_;
    much_.wait_for(lock, limit, [&] { return wakeups_ != seen; });
}

std::uint64_t Retention::status_number() {
    std::lock_guard lock(mutex_);
    return holdings_.status_number;
}

bool Retention::read(Cursor& cursor, std::size_t max_bytes, std::vector<Delivery>& out) {
    std::lock_guard lock(mutex_);
    const bool goes_on = Reading(holdings_, cursor).read(max_bytes, out);
    charge(cursor);
    return goes_on;
}

void Retention::skip_before(Cursor& cursor, std::uint64_t tick, Keep of_others) {
    std::lock_guard lock(mutex_);
    Reading(holdings_, cursor).skip_before(tick, of_others);
    charge(cursor);
}

void Retention::skip_older(Cursor& cursor, std::uint64_t age, std::uint64_t now, Keep of_others) {
    std::lock_guard lock(mutex_);
    Reading(holdings_, cursor).skip_older(age, now, of_others);
    charge(cursor);
}

std::optional<std::uint64_t> Retention::oldest_tick() {
    std::lock_guard lock(mutex_);
    std::optional<std::uint64_t> oldest;
    const auto add = [&](const HeldBatch& entry) {
        oldest = std::min(oldest.value_or(entry.facts.first_tick), entry.facts.first_tick);
    };
    for (const auto& [id, lane] : holdings_.channels) {
        if (!lane.pinned.empty()) add(lane.pinned.begin()->second.entry);
        if (!lane.entries.empty()) add(lane.entries.front());
    }
    return oldest;
}

Held Retention::held(ChannelId channel) {
    std::lock_guard lock(mutex_);
    HeldChannel* lane = find(channel);
    if (!lane) return {};
    Held held = lane->held;
    if (!lane->entries.empty()) held.first_tick = lane->entries.front().facts.first_tick;
    held.own_now = lane->now(0);
    return held;
}

}  // namespace sla::retain
