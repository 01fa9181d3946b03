#include "agent/retain/retention.h"

#include "proto/base/check.h"

#include <algorithm>
#include <utility>

namespace sla::retain {
namespace {

constexpr std::uint64_t kEntryOverhead = 160;  // what an entry costs beside its bytes

}  // namespace

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
    std::uint64_t bytes = shared->size() + kEntryOverhead;
    lane->entries.push_back({facts, lane->offered, std::move(shared)});
    lane->offered += facts.offered;
    lane->held.bytes += bytes;
    lane->held.rows += facts.rows;
    held_bytes_ += bytes;
    keep_within_limits(*lane);
}

void Retention::drop_oldest(Lane& lane) {
    const Entry& oldest = lane.entries.front();
    std::uint64_t bytes = oldest.frame->size() + kEntryOverhead;
    lane.held.bytes -= bytes;
    lane.held.rows -= oldest.facts.rows;
    held_bytes_ -= bytes;
    lane.entries.pop_front();
    lane.first_number++;
}

// The channel's own limit first; over the total, whoever holds most gives.
void Retention::keep_within_limits(Lane& lane) {
    while (lane.held.bytes > limits_.channel_bytes && lane.entries.size() > 1) drop_oldest(lane);
    while (held_bytes_ > limits_.total_bytes) {
        Lane* most = nullptr;
        for (const auto& other : lanes_) {
            if (other && other->entries.size() > 1 && (!most || other->held.bytes > most->held.bytes)) most = other.get();
        }
        if (!most) return;
        drop_oldest(*most);
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
    return lane ? lane->held : Held{};
}

std::uint64_t Retention::held_bytes() {
    std::lock_guard lock(mutex_);
    return held_bytes_;
}

}  // namespace sla::retain
