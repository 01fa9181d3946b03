#include "agent/retain/retention.h"

#include "proto/base/check.h"

#include <algorithm>
#include <utility>

namespace sla::retain {
namespace {

constexpr std::uint64_t kEntryOverhead = 160;  // what an entry costs beside its bytes

}  // namespace

std::uint64_t Retention::cost_of(const Entry& entry) {
    return entry.frame->size() + kEntryOverhead;
}

GivenUp Retention::given_up(const BatchFacts& facts) {
    return {1, facts.rows, facts.offered, facts.first_tick, facts.last_tick};
}

std::shared_ptr<const std::string> Retention::share(std::string frame) {
    return std::make_shared<const std::string>(std::move(frame));
}

void Retention::announce(std::string frame) {
    std::lock_guard lock(mutex_);
    announcements_.push_back(share(std::move(frame)));
}

void Retention::announce_channel(ChannelId channel, const std::string& name, std::string frame) {
    std::lock_guard lock(mutex_);
    if (lanes_.size() <= channel.value) lanes_.resize(channel.value + 1);
    lanes_[channel.value] = std::make_unique<Lane>();
    lanes_[channel.value]->name = name;
    lanes_[channel.value]->limits.bytes = limits_.channel_bytes;
    announcements_.push_back(share(std::move(frame)));
}

Retention::Lane* Retention::find(ChannelId channel) {
    return channel.value < lanes_.size() ? lanes_[channel.value].get() : nullptr;
}

void Retention::append(const BatchFacts& facts, std::string frame) {
    auto shared = share(std::move(frame));
    std::lock_guard lock(mutex_);
    Lane* lane = find(facts.channel);
    SLA_CHECK(lane != nullptr);
    lane->entries.push_back({facts, lane->offered, std::move(shared)});
    std::uint64_t bytes = cost_of(lane->entries.back());
    lane->offered += facts.offered;
    lane->held.bytes += bytes;
    lane->held.rows += facts.rows;
    held_bytes_ += bytes;
    keep_within_bytes(facts.channel, *lane);
    by_size_.put(facts.channel.value, lane->entries.size() > 1 ? lane->held.bytes : 0);
    keep_within_total();
}

void Retention::drop_oldest(ChannelId channel, Lane& lane) {
    const Entry& oldest = lane.entries.front();
    const BatchFacts& facts = oldest.facts;
    std::uint64_t bytes = cost_of(oldest);
    lane.held.bytes -= bytes;
    lane.held.rows -= facts.rows;
    held_bytes_ -= bytes;
    const std::uint64_t until = lane.entries[1].facts.first_tick;
    bool is_pinned = false;
    if (pins_.any() && pins_.reach(facts.first_tick, until)) {
        pin(channel, lane, until);
        is_pinned = true;
    } else {
        lane.before.add(given_up(facts));
        lane.held.given_up.add(given_up(facts));
        if (pins_.any_loose()) pins_.give_up(facts.first_tick, facts.last_tick);
    }
    lane.entries.pop_front();
    lane.first_number++;
    by_size_.put(channel.value, lane.entries.size() > 1 ? lane.held.bytes : 0);
    if (is_pinned) keep_within_shot_bytes();
}

void Retention::keep_within_bytes(ChannelId channel, Lane& lane) {
    while (lane.held.bytes > lane.limits.bytes && lane.entries.size() > 1) {
        lane.held.cut_tick = std::max(lane.held.cut_tick, lane.entries.front().facts.last_tick);
        drop_oldest(channel, lane);
    }
}

void Retention::keep_within_total() {
    while (held_bytes_ > limits_.total_bytes) {
        std::optional<std::uint32_t> most = by_size_.biggest();
        if (!most) return;
        Lane& lane = *lanes_[*most];
        lane.held.cut_tick = std::max(lane.held.cut_tick, lane.entries.front().facts.last_tick);
        drop_oldest({*most}, lane);
    }
}

void Retention::limit_channel(ChannelId channel, ChannelLimits limits) {
    std::lock_guard lock(mutex_);
    Lane* lane = find(channel);
    SLA_CHECK(lane != nullptr);
    lane->limits = limits;
    keep_within_bytes(channel, *lane);
}

void Retention::limit_total(std::uint64_t bytes) {
    std::lock_guard lock(mutex_);
    limits_.total_bytes = bytes;
    keep_within_total();
}

Limits Retention::limits() {
    std::lock_guard lock(mutex_);
    return limits_;
}

void Retention::expire(std::uint64_t now) {
    std::lock_guard lock(mutex_);
    for (std::uint32_t id = 0; id < lanes_.size(); id++) {
        if (!lanes_[id] || lanes_[id]->limits.ticks == 0 || lanes_[id]->limits.ticks > now) continue;
        Lane& lane = *lanes_[id];
        std::uint64_t oldest = now - lane.limits.ticks;
        while (lane.entries.size() > 1 && lane.entries.front().facts.last_tick < oldest) drop_oldest({id}, lane);
    }
}

void Retention::set_watermark(std::uint64_t tick) {
    std::lock_guard lock(mutex_);
    watermark_ = std::max(watermark_, tick);
}

void Retention::set_status(std::string frame) {
    std::lock_guard lock(mutex_);
    status_ = share(std::move(frame));
    status_number_++;
}

void Retention::finish(std::string end_frame) {
    {
        std::lock_guard lock(mutex_);
        end_ = share(std::move(end_frame));
    }
    publish();
}

void Retention::publish() {
    {
        std::lock_guard lock(mutex_);
        publications_++;
    }
    published_.notify_all();
    if (tell_) tell_();
}

void Retention::on_publish(std::function<void()> tell) {
    tell_ = std::move(tell);
}

void Retention::wait(std::chrono::milliseconds limit) {
    std::unique_lock lock(mutex_);
    std::uint64_t seen = publications_;
    published_.wait_for(lock, limit, [&] { return publications_ != seen; });
}

std::uint64_t Retention::status_number() {
    std::lock_guard lock(mutex_);
    return status_number_;
}

Retention::Held Retention::held(ChannelId channel) {
    std::lock_guard lock(mutex_);
    Lane* lane = find(channel);
    if (!lane) return {};
    Held held = lane->held;
    if (!lane->entries.empty()) held.first_tick = lane->entries.front().facts.first_tick;
    return held;
}

std::uint64_t Retention::held_bytes() {
    std::lock_guard lock(mutex_);
    return held_bytes_;
}

}  // namespace sla::retain
