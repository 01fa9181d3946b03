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

std::uint64_t Retention::cost_of(const Entry& entry) {
    return retain::cost_of(*entry.frame);
}

GivenUp Retention::given_up(const BatchFacts& facts) {
    return {1, facts.rows, facts.offered, facts.first_tick, facts.last_tick};
}

// All bytes that go with a source, so that it is known what the ended ones hold.
void Retention::count(Owner& owner, std::int64_t bytes) {
    owner.bytes += static_cast<std::uint64_t>(bytes);
    if (owner.ended) (owner.rests ? resting_bytes_ : ended_bytes_) += static_cast<std::uint64_t>(bytes);
}

std::uint64_t Retention::names() const {
    return channel_bytes_ + announcements_.bytes() + status_bytes_ - resting_bytes_;
}

// On their way to a reader while they are held no more, or made for it alone.
std::uint64_t Retention::frames_of_readers() const {
    const std::uint64_t all = account_->frames.load(std::memory_order_relaxed);  // pairs with nothing: a figure
    const std::uint64_t own = held_bytes_ + pinned_bytes_ + announcements_.bytes() + status_bytes_;
    return all - std::min(all, own);
}

std::uint64_t Retention::counted() const {
    const std::uint64_t of_readers = frames_of_readers() + account_->readers.load(std::memory_order_relaxed) +
                                     account_->recorders.load(std::memory_order_relaxed) +  // pair with nothing: figures
                                     summaries_.bytes();
    return held_bytes_ + names() + beside_.open_batches + beside_.programs + of_readers -
           std::min(of_readers, kFreeReaderBytes);
}

void Retention::announce(std::string frame, Topic topic) {
    std::lock_guard lock(mutex_);
    announcements_.add(share(std::move(frame)), topic);
}

std::uint64_t Retention::announce_of(SourceId source, std::string frame) {
    std::lock_guard lock(mutex_);
    Owner& owner = owners_[source.value];
    const std::uint64_t before = announcements_.bytes();
    owner.announcements.push_back(announcements_.add(share(std::move(frame)), Topic::kOfSource));
    count(owner, static_cast<std::int64_t>(announcements_.bytes() - before));
    return owner.announcements.back();
}

void Retention::drop_of(SourceId source, std::uint64_t number) {
    std::lock_guard lock(mutex_);
    Owner& owner = owners_.at(source.value);
    const auto at = std::lower_bound(owner.announcements.begin(), owner.announcements.end(), number);
    SLA_CHECK(at != owner.announcements.end() && *at == number);
    owner.announcements.erase(at);
    const std::uint64_t before = announcements_.bytes();
    announcements_.drop(number);
    count(owner, static_cast<std::int64_t>(announcements_.bytes()) - static_cast<std::int64_t>(before));
}

void Retention::announce_channel(ChannelId channel, const std::string& name, std::string frame, SourceId source) {
    const std::uint64_t number = announce_of(source, std::move(frame));
    std::lock_guard lock(mutex_);
    auto [at, is_new] = lanes_.try_emplace(channel.value);
    SLA_CHECK(is_new);
    HeldChannel& lane = at->second;
    lane.id = channel;
    lane.name = name;
    lane.owner_id = source.value;
    lane.owner = &owners_[source.value];
    lane.owner->channels.push_back(channel.value);
    lane.announced = number;
    lane.place = changed_.insert(changed_.begin(), &lane);
    lane.limits.bytes = limits_.channel_bytes;
    channel_bytes_ += kChannelBytes + name.size();
    count(*lane.owner, static_cast<std::int64_t>(kChannelBytes + name.size()));
}

Retention::HeldChannel* Retention::find(ChannelId channel) {
    const auto at = lanes_.find(channel.value);
    return at == lanes_.end() ? nullptr : &at->second;
}

void Retention::append(const BatchFacts& facts, std::string frame, const wire::EventBatch* rows) {
    auto shared = share(std::move(frame));
    const bool is_recorded = account_->recorder_count.load(std::memory_order_relaxed) > 0;  // a hint: pairs with nothing
    SharedSummary summary = is_recorded && rows != nullptr ? summarizer_.of(*rows) : nullptr;
    std::lock_guard lock(mutex_);
    HeldChannel* lane = find(facts.channel);
    SLA_CHECK(lane != nullptr && !lane->owner->ended);
    lane->entries.push_back({facts, lane->offered, std::move(shared)});
    const std::uint64_t bytes = cost_of(lane->entries.back());
    lane->offered += facts.offered;
    if (lane->offered == facts.offered) lane->begin_tick = facts.first_tick;
    lane->last_tick = facts.last_tick;
    lane->held.bytes += bytes;
    lane->held.rows += facts.rows;
    lane->last_change = ++changes_;
    changed_.splice(changed_.end(), changed_, lane->place);
    held_bytes_ += bytes;
    lane->owner->batches++;
    count(*lane->owner, static_cast<std::int64_t>(bytes));
    keep_within_bytes(*lane);
    by_size_.put(facts.channel.value, lane->entries.size() > 1 ? lane->held.bytes : 0);
    if (!is_recorded) summaries_.clear();
    std::uint64_t fresh = bytes;
    if (summary) {
        fresh += summary->bytes();
        const std::uint64_t number = lane->first_number + lane->entries.size() - 1;
        summaries_.put(lane->id.value, number, std::move(summary), std::min(kMaxSummaries, limits_.total_bytes / 16));
    }
    keep_within_total();
    if (is_much(*lane, bytes, fresh)) much_.notify_all();
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

void Retention::drop_oldest(HeldChannel& lane) {
    const BatchFacts facts = lane.entries.front().facts;
    const std::uint64_t bytes = cost_of(lane.entries.front());
    Owner& owner = *lane.owner;
    lane.held.bytes -= bytes;
    lane.held.rows -= facts.rows;
    held_bytes_ -= bytes;
    count(owner, -static_cast<std::int64_t>(bytes));
    const std::uint64_t until = lane.entries.size() > 1 ? lane.entries[1].facts.first_tick : facts.last_tick + 1;
    const bool is_pinned = pins_.any() && pins_.reach(facts.first_tick, until);
    if (is_pinned) {
        pin(lane, until);
    } else {
        lane.before.add(given_up(facts));
        lane.held.given_up.add(given_up(facts));
        if (pins_.any_loose()) pins_.give_up(facts.first_tick, facts.last_tick);
    }
    lane.entries.pop_front();
    lane.first_number++;
    by_size_.put(lane.id.value, lane.entries.size() > 1 ? lane.held.bytes : 0);
    if (--owner.batches == 0 && owner.ended) settle_empty(owner, lane.owner_id);
    if (is_pinned || owner.rests) keep_within_shot_bytes();
}

void Retention::cut_oldest(HeldChannel& lane) {
    lane.held.cut_tick = std::max(lane.held.cut_tick, lane.entries.front().facts.last_tick);
    drop_oldest(lane);
}

void Retention::keep_within_bytes(HeldChannel& lane) {
    while (lane.held.bytes > lane.limits.bytes && lane.entries.size() > 1) cut_oldest(lane);
}

void Retention::keep_within_total() {
    while (counted() > limits_.total_bytes) {
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
}

void Retention::limit_total(std::uint64_t bytes) {
    std::lock_guard lock(mutex_);
    limits_.total_bytes = bytes;
    keep_within_total();
}

void Retention::count_beside(const Beside& bytes) {
    std::lock_guard lock(mutex_);
    beside_ = bytes;
    keep_within_total();
}

Limits Retention::limits() {
    std::lock_guard lock(mutex_);
    return limits_;
}

void Retention::set_watermark(std::uint64_t tick) {
    std::lock_guard lock(mutex_);
    watermark_ = std::max(watermark_, tick);
}

void Retention::set_status(std::string frame) {
    std::vector<std::string> pages;
    pages.push_back(std::move(frame));
    set_status(std::move(pages));
}

void Retention::set_status(std::vector<std::string> pages) {
    std::lock_guard lock(mutex_);
    status_.clear();
    status_bytes_ = 0;
    for (std::string& page : pages) {
        status_.push_back(share(std::move(page)));
        status_bytes_ += retain::cost_of(*status_.back());
    }
    status_number_++;  // nothing is given up for it now: what it says of channels would no longer hold
}

void Retention::finish(std::string end_frame) {
    {
        std::lock_guard lock(mutex_);
        end_ = share(std::move(end_frame));
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
    return status_number_;
}

Retention::Held Retention::held(ChannelId channel) {
    std::lock_guard lock(mutex_);
    HeldChannel* lane = find(channel);
    if (!lane) return {};
    Held held = lane->held;
    if (!lane->entries.empty()) held.first_tick = lane->entries.front().facts.first_tick;
    return held;
}

Retention::Usage Retention::usage() {
    std::lock_guard lock(mutex_);
    Usage usage;
    usage.history = held_bytes_;
    usage.names = names();
    usage.shots = of_shots();
    usage.beside = beside_;
    usage.readers = frames_of_readers() + account_->readers.load(std::memory_order_relaxed);  // pairs with nothing: a figure
    usage.recorders = account_->recorders.load(std::memory_order_relaxed) + summaries_.bytes();  // the same
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
